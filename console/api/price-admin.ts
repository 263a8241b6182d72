import { queryOptions } from '@tanstack/react-query'
import type { AuditEntryView } from '../../src/contract/administration.ts'
import type { MarginsView } from '../../src/contract/margins.ts'
import type { ModelFactsView } from '../../src/contract/model-facts.ts'
import type { ModelView } from '../../src/contract/models.ts'
import type { FetchedPrices } from '../../src/contract/price-fetch.ts'
import type { ShippedPrices } from '../../src/contract/price-catalogue.ts'
import type { PriceCalculated, PriceCalculation } from '../../src/contract/price-calculation.ts'
import type { UsageSummaryView } from '../../src/contract/usage.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { apiPath, patch, post, read, readKept, request } from './request.ts'

export type SalesOfModel = MarginsView['rows'][number]

const WEEK_MS = 7 * 86_400_000
const FRESH_MS = 60_000
const HISTORY_LENGTH = 50
const IMPORT_PAGE = 200
/** So many edits of imports are looked at: a thousand. */
const IMPORT_PAGES = 5

/** What each model brought in the last seven days, by its name; of the 500 that cost most. */
export const modelSalesQuery = queryOptions({
  queryKey: ['models', 'sales'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, SalesOfModel>> => {
    const query = { split: 'model', from: new Date(Date.now() - WEEK_MS).toISOString() }
    const { rows } = await request<MarginsView>('/api/margins', { query, signal })
    return new Map(rows.map((row) => [row.id, row]))
  },
  staleTime: FRESH_MS,
})

/** What all accounts used of a model in the last seven days. */
export const modelWeekQuery = (name: string) =>
  queryOptions({
    queryKey: ['models', 'week', name],
    queryFn: async ({ signal }): Promise<UsageSummaryView['totals']> => {
      // By the hour, as the list sums them up: by the day, the whole first day would count.
      const from = new Date(Date.now() - WEEK_MS).toISOString()
      const query = { account_id: '*', model: name, from, by: 'hour' }
      return (await request<UsageSummaryView>('/api/usage/summary', { query, signal })).totals
    },
    staleTime: FRESH_MS,
  })

export const modelQuery = (id: string) => read<ModelView>(['models', 'one', id], apiPath`/api/models/${id}`)

/** So often the two are read again where the model was changed between them. */
const TRIES = 3

/** What a model takes at each of its targets, and the model as it was then: rules are set by a change of that one. */
export const modelFactsQuery = (id: string) =>
  queryOptions({
    queryKey: ['models', 'facts', id],
    queryFn: async ({ signal }): Promise<{ readonly facts: ModelFactsView; readonly model: ModelView }> => {
      const path = apiPath`/api/models/${id}`
      for (let tries = 1; ; tries++) {
        const [facts, model] = await Promise.all([
          request<ModelFactsView>(`${path}/facts`, { signal }),
          request<ModelView>(path, { signal }),
        ])
        if (facts.version === model.version || tries === TRIES) return { facts, model }
      }
    },
  })

/** List prices of providers, of one day, that are shipped with the gateway. */
export const readShippedPrices = () => request<ShippedPrices>('/api/prices/catalogue')

/** The prices of another server, which this one asks. */
export const fetchPrices = (url: string) => post<FetchedPrices>('/api/prices/fetch', { url })

/** The prices that are shipped, fetched once for as long as the page is open. */
export const shippedPricesQuery = queryOptions({
  queryKey: ['prices', 'shipped'],
  queryFn: readShippedPrices,
  staleTime: Infinity,
})

/** Reads the model as it is now, whatever is cached. */
export const readModel = (id: string) => request<ModelView>(apiPath`/api/models/${id}`)

/** The newest edits that imports made, from the audit. */
export const importsQuery = queryOptions({
  queryKey: ['audit', 'imports'],
  queryFn: async ({ signal }): Promise<readonly AuditEntryView[]> => {
    const entries: AuditEntryView[] = []
    let cursor: string | null = null
    for (let page = 0; page < IMPORT_PAGES; page++) {
      const query: Readonly<Record<string, string | number | null>> = {
        action: 'model.import',
        limit: IMPORT_PAGE,
        cursor,
      }
      const found: Page<AuditEntryView> = await request('/api/audit', { query, signal })
      entries.push(...found.data)
      cursor = found.next_cursor
      if (cursor === null) break
    }
    return entries
  },
})

/** The newest changes of a model, from the audit. */
export const modelHistoryQuery = (id: string) =>
  read<Page<AuditEntryView>>(['models', 'history', id], '/api/audit', { query: { subject: id, limit: HISTORY_LENGTH } })

export type WrittenPrice = PriceCalculation['price']

/** `price` null: it is not served any more. `effective_at` undefined: at once. `version`: of the model as it was read. */
export const setPrice = (
  id: string,
  change: { readonly price: WrittenPrice | null; readonly effective_at: string | undefined },
  version?: string,
) => patch<ModelView>(apiPath`/api/models/${id}`, change, version)

/** What an import sets of a model; what is left out stays. */
export interface ImportedFields {
  readonly price?: WrittenPrice | null
  readonly context_tokens?: number | null
  readonly max_output_tokens?: number | null
}

/** Sets the price that a catalogue names, or the one before. `import_id`: the import that this is part of; `effective_at`: when it takes effect, if not at once. */
export const importPrice = (
  id: string,
  change: ImportedFields & {
    readonly import_id?: string
    readonly import_source?: string | undefined
    readonly effective_at?: string | undefined
  },
  version?: string,
) => patch<ModelView>(apiPath`/api/models/${id}`, change, version)

/** What a request would cost, at prices that may not be saved yet. */
export const calculationQuery = (body: PriceCalculation) =>
  readKept<PriceCalculated>(['prices', 'calculation', body], '/api/prices/calculate', {
    method: 'POST',
    body,
    retry: false,
  })
