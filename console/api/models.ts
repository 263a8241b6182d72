import { queryOptions } from '@tanstack/react-query'
import type { ModelTraffic, ModelView } from '../../src/contract/models.ts'
import type { Page } from '../../src/contract/wire-values.ts'
import { request } from './request.ts'

const PAGE_SIZE = 200

/** Two thousand models, more than any place has; what is beyond is not loaded. */
const MOST_PAGES = 10

/** Every model that the reader may see, by name. They are few enough to be searched and sorted here, at once. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => {
    const models: ModelView[] = []
    let cursor: string | null = null
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const found: Page<ModelView> = await request('/api/models', { query: { limit: PAGE_SIZE, cursor }, signal })
      models.push(...found.data)
      cursor = found.next_cursor
      if (cursor === null) break
    }
    return models
  },
  staleTime: 60_000,
})

/** What is known of each model from requests: the reader's own, and how it answers. By its name. */
export const modelTrafficQuery = queryOptions({
  queryKey: ['models', 'traffic'],
  queryFn: async ({ signal }): Promise<ReadonlyMap<string, TrafficOfModel>> => {
    const { data } = await request<ModelTraffic>('/api/models/traffic', { signal })
    return new Map(data.map((row) => [row.name, row]))
  },
  staleTime: 60_000,
})

export type TrafficOfModel = ModelTraffic['data'][number]
