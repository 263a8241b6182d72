import { queryOptions } from '@tanstack/react-query'
import type { ModelTraffic, ModelView } from '../../src/contract/models.ts'
import { everyPage, request } from './request.ts'

/** Every model that the reader may see, by name. They are few enough to be searched and sorted here, at once. */
export const modelsQuery = queryOptions({
  queryKey: ['models'],
  queryFn: async ({ signal }) => (await everyPage<ModelView>('/api/models', { signal })).data,
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
