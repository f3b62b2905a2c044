/**
 * Model families whose makers say that they take text alone, by the last part of the id. Whoever is not listed is sent
 * images: a provider that refuses them says so, and the turn goes on without.
 */
const blind =
  /^(?:gpt-3\.5|gpt-4(?:$|-0314|-0613)|o1-(?:mini|preview)|o3-mini|gpt-oss|claude-(?:2|instant)|deepseek-(?:chat|reasoner|coder|r1)|codestral|qwen[\d.]*-coder|codellama|starcoder|llama-?3(?:\.[13])?(?:[:-]|$)|kimi-k2(?!\.5)|glm-4\.[56](?!v))/;

/** False for a model that is known not to take images. */
export function seesImages(id: string): boolean {
  return !blind.test(id.slice(id.lastIndexOf('/') + 1).toLowerCase());
}
