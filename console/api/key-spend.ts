import type { KeySpendPageView, TagSpendsView } from '../../src/contract/usage.ts'
import { type QueryValue, readKept, withQuery } from './request.ts'
import { SITE_PATH } from '../site.ts'

/** The time, groups and models that are compared. */
export type KeySpendSpan = Readonly<Partial<Record<'from' | 'to' | 'group' | 'model' | 'tag', string | undefined>>>

/** A page of the keys that were used in a span, with what they cost in the time before it. */
export const keySpendQuery = (query: KeySpendSpan & Readonly<Record<string, QueryValue>>) =>
  readKept<KeySpendPageView>(['usage', 'keys', query], '/api/usage/keys', { query })

/** Where all of them can be had as CSV: a plain link. */
export function keySpendCsvLink(span: KeySpendSpan): string {
  return SITE_PATH + withQuery('/api/usage/keys.csv', span)
}

/** What tags spent, by the tags that the keys have now. */
export const tagSpendQuery = (span: Omit<KeySpendSpan, 'tag'>) =>
  readKept<TagSpendsView>(['usage', 'tags', span], '/api/usage/tags', { query: span })
