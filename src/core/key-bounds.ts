/** How much may be written into a key's settings, wherever they are written. The contract's numbers. */
export const KEY_BOUNDS = {
  nameCharacters: 100,
  fallbackGroups: 20,
  allowedModels: 200,
  modelNameCharacters: 200,
  allowedIps: 200,
  tags: 20,
  tagCharacters: 40,
  /** Of requests and tokens. */
  largestCount: 1_000_000_000,
} as const
