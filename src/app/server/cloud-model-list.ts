import { MODEL_LIST_LIMIT, MODEL_LIST_LIMIT_BYTES } from '../../core/limits.ts'
import type { Upstream } from '../../routing/catalog.ts'
import type { Dialect, ModelListing } from '../../upstreams/cloud-dialects.ts'
import { type Authorizer, CloudUpstream } from '../../upstreams/cloud-upstream.ts'
import { HttpUpstream, type HttpUpstreamOptions } from '../../upstreams/http-upstream.ts'
import type { UpstreamClient } from '../../upstreams/upstream-client.ts'
import { askOnce } from './ask-once.ts'
import {
  askForModels,
  type ListAnswer,
  type ListBounds,
  type ListQuestion,
  readListAnswer,
  tidyNames,
  unansweredList,
} from './model-list-answer.ts'
import { credentialHeaders } from './upstream-address.ts'

/** Pages of a list that are read; those of the clouds hold hundreds of names. */
const MOST_PAGES = 10

/** How an upstream is reached, of which its list of models may have another address. */
export interface ListWay {
  readonly upstream: Pick<Upstream, 'protocol' | 'passage'>
  /** null: it is of no cloud. */
  readonly dialect: Dialect | null
  readonly http: HttpUpstreamOptions
  /** Sent as it is; null: nothing is. */
  readonly secret: string | null
  readonly authorizer: Authorizer | null
}

/** A client of the address that lists the models of an upstream, with its credential as it is wanted there. */
export function listClient({ upstream, dialect, http, secret, authorizer }: ListWay): UpstreamClient {
  const listing = dialect?.list
  const protocol = listing?.askedAs ?? upstream.protocol
  const sent = secret === null ? {} : credentialHeaders({ ...upstream, protocol }, secret)
  const headers = { ...http.headers, ...sent }
  if (listing == null) return new CloudUpstream(new HttpUpstream({ ...http, headers }), dialect, authorizer)
  const baseUrl = new URL(listing.url).origin
  // The URL of a list is the cloud's own already: no dialect changes it.
  const client = new HttpUpstream({ ...http, headers, baseUrl })
  return new CloudUpstream(client, null, authorizer?.at?.(baseUrl) ?? authorizer)
}

/** Asks for the list of models where it is. `listing` null: nowhere. Left out: where the protocol has it. */
export async function askWhereListed(
  listing: ModelListing | null | undefined,
  question: ListQuestion,
  bounds: ListBounds,
): Promise<ListAnswer> {
  if (listing === undefined) return askForModels(question, bounds)
  return listing === null ? NO_LIST : askCloudForModels(listing, question, bounds.limitMs)
}

const NO_LIST: ListAnswer = {
  isGood: false,
  status: null,
  result: 'no_list',
  said: null,
  detail: 'The cloud has no list of models: a test request proves address and credential.',
  listed: null,
}

/**
 * Asks a cloud for the models that can be called there, page by page. `client`: of the origin of the list's URL; a page
 * elsewhere is not asked for.
 */
async function askCloudForModels(listing: ModelListing, question: ListQuestion, limitMs: number): Promise<ListAnswer> {
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
