// Windows gives these names to devices in every folder, whatever extension follows (learn.microsoft.com, "Naming
// Files, Paths, and Namespaces"); the superscript digits count as digits there.
const device = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])[ ]*(\.|:|$)/i;

/**
 * Why a single file name does not mean on Windows what it says, or undefined for a plain name. To be asked on Windows
 * only: elsewhere `aux.c` and `a:b` are files like any other.
 */
export function windowsNameProblem(name: string): string | undefined {
  if (device.test(name)) return `"${name}" is the name of a device on Windows`;
  if (name.includes(':')) return `"${name}" names an alternate data stream or a drive`;
  if (/[. ]$/.test(name)) return `Windows drops the dots and blanks at the end of "${name}"`;
  if (/[<>"|?*\u0001-\u001f]/.test(name)) return `"${name}" holds a character that Windows allows in no file name`;
  return undefined;
}
