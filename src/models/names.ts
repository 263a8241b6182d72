/**
 * A pattern for names as providers and clouds spell them, in lower case: behind a vendor's or a cloud's prefix (`openai/`,
 * `us.anthropic.`, `accounts/fireworks/models/`) or a word of a deployment's (`prod-gpt-5`), with dates, versions and variants behind.
 */
export function named(pattern: string): RegExp {
  return new RegExp(`(?:^|[^a-z0-9])(?:${pattern})`)
}

/** A pattern for names that are too short to be looked for in the midst of others, such as `o3`. */
export function namedAlone(pattern: string): RegExp {
  return new RegExp(`(?:^|[/:@~]|openai\\.)(?:${pattern})`)
}
