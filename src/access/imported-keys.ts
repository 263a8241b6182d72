/**
 * Keys that came from new-api and one-api, which are presented in several forms: with and without `sk-`, with a channel's
 * number behind the key, with `Bearer ` twice. They are stored in the form that nearly every client sends.
 */

/** The setting under which gateways look keys up in all of these forms. */
export const IMPORTED_KEYS = 'imported_keys'

const LONGEST = 200

/** `sk-` and what stands behind it up to the next dash; null: nothing does, or no key looks like that. */
export function canonicalKey(presented: string): string | null {
  const bare = presented.replace(/^bearer /i, '').replace(/^sk-/, '')
  const [key = ''] = bare.split('-', 1)
  return /^[\x21-\x7e]{1,200}$/.test(key) && key.length <= LONGEST ? `sk-${key}` : null
}

/** Whether it named a channel of the old gateway, which means nothing here. */
export function hasNumberBehind(presented: string): boolean {
  return /^(?:bearer )?(?:sk-)?[^-]+-\d+$/i.test(presented)
}
