import { queryOptions } from '@tanstack/react-query'
import type { KeyChecked, PublicModels, PublicStatus } from '../../src/contract/public-pages.ts'
import { request } from './request.ts'

const RENEWED_MS = 60_000

export const publicModelsQuery = queryOptions({
  queryKey: ['public', 'models'],
  queryFn: ({ signal }) => request<PublicModels>('/api/public/models', { signal }),
  staleTime: RENEWED_MS,
})

export const publicStatusQuery = queryOptions({
  queryKey: ['public', 'status'],
  queryFn: ({ signal }) => request<PublicStatus>('/api/public/status', { signal }),
  staleTime: RENEWED_MS,
  refetchInterval: RENEWED_MS,
  refetchIntervalInBackground: false,
})

/** The secret goes in the body, never in an address. */
export function checkKey(secret: string): Promise<KeyChecked> {
  return request<KeyChecked>('/api/public/key-check', { method: 'POST', body: { key: secret } })
}
