import { queryOptions } from '@tanstack/react-query'
import type { KeyChecked, PublicModels, PublicStatus } from '../../src/contract/public-pages.ts'
import { post, read } from './request.ts'

const RENEWED_MS = 60_000

export const publicModelsQuery = queryOptions({
  ...read<PublicModels>(['public', 'models'], '/api/public/models'),
  staleTime: RENEWED_MS,
})

export const publicStatusQuery = queryOptions({
  ...read<PublicStatus>(['public', 'status'], '/api/public/status'),
  staleTime: RENEWED_MS,
  refetchInterval: RENEWED_MS,
})

/** The secret goes in the body, never in an address. */
export function checkKey(secret: string): Promise<KeyChecked> {
  return post('/api/public/key-check', { key: secret })
}
