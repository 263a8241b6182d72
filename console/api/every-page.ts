import type { Page } from '../../src/contract/wire-values.ts'
import { request, type RequestOptions } from './request.ts'

/** The API's largest page. */
const PAGE_SIZE = 200
/** Two thousand rows, more than any installation has of what is listed whole; what is beyond is not loaded. */
const MOST_PAGES = 10

/** All rows of a list, as one page, for what is searched and sorted here: of a part of them others would not be found. */
export async function everyPage<Row>(
  path: string,
  { query, signal }: Pick<RequestOptions, 'query' | 'signal'>,
): Promise<Page<Row>> {
  const data: Row[] = []
  let cursor: string | null = null
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const found: Page<Row> = await request(path, { query: { ...query, limit: PAGE_SIZE, cursor }, signal })
    data.push(...found.data)
    cursor = found.next_cursor
    if (cursor === null) break
  }
  return { data, next_cursor: cursor }
}
