export const b = a;
