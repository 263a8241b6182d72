import { type RawBuilder, sql } from 'kysely'

/** Longer than any name or tag; what is longer is found nowhere. */
export const SEARCH_LIMIT = 200

/** Tags have nothing in them that JSON escapes, and are in lower case as `like` compares them on one engine alone. */
export function tagCondition(tag: string): RawBuilder<unknown> {
  const text = tag.toLowerCase().slice(0, SEARCH_LIMIT).replaceAll('\0', '')
  const pattern = `%"${text.replace(/[\\%_]/g, '\\$&')}"%`
  return sql`(api_keys.tags_json like ${pattern} escape '\\')`
}
