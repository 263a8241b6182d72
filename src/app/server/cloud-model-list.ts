import { MODEL_LIST_LIMIT, MODEL_LIST_LIMIT_BYTES } from '../../core/limits.ts'
import type { ModelListing } from '../../upstreams/cloud-dialects.ts'
import { askOnce } from './ask-once.ts'
import { type ListAnswer, type ListQuestion, readListAnswer, tidyNames, unansweredList } from './model-list-answer.ts'

/** ListPages of a list that are read; those of the clouds hold hundreds of names. */
const MOST_PAGES = 10

/**
 * Asks a cloud for the models that can be called there, page by page. `client`: of the origin of the list's URL; a page
 * elsewhere is not asked for.
 */
export async function askCloudForModels(
  listing: ModelListing,
  question: ListQuestion,
  limitMs: number,
): Promise<ListAnswer> {
  const first = new URL(listing.url)
  const names: string[] = []
  let url = first
  for (let page = 1; ; page += 1) {
    const asked: ListPage = await askForPage(url, { ...question, listing }, limitMs)
    if (asked.answer.listed === null) return asked.answer
    names.push(...asked.answer.listed.names)
    const next = asked.nextUrl === null ? null : URL.parse(asked.nextUrl, first)
    if (next === null || next.origin !== first.origin || page === MOST_PAGES || names.length > MODEL_LIST_LIMIT) {
      return { ...asked.answer, listed: { names: tidyNames(names), isWhole: asked.nextUrl === null } }
    }
    url = next
  }
}

interface ListPage {
  readonly answer: ListAnswer
  readonly nextUrl: string | null
}

async function askForPage(
  url: URL,
  { client, listing, ...reading }: ListQuestion & { readonly listing: ModelListing },
  limitMs: number,
): Promise<ListPage> {
  const request = { path: url.pathname + url.search, headers: {} }
  const answer = await askOnce(client, request, { limitMs, limitBytes: MODEL_LIST_LIMIT_BYTES })
  if (answer.kind !== 'answered') return { answer: unansweredList(answer, limitMs), nextUrl: null }
  let nextUrl: string | null = null
  const modelsOf = (value: unknown) => {
    const page = listing.read(value)
    nextUrl = page.nextUrl
    return { names: page.names, isWhole: page.nextUrl === null }
  }
  return { answer: readListAnswer(answer, { ...reading, modelsOf }), nextUrl }
}
