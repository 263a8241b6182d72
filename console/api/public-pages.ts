import type { KeyChecked, PublicModels, PublicStatus } from '../../src/contract/public-pages.ts'
import { post, read } from './request.ts'

const RENEWED_MS = 60_000

export const publicModelsQuery = read<PublicModels>(['public', 'models'], '/api/public/models', {
  staleTime: RENEWED_MS,
})

export const publicStatusQuery = read<PublicStatus>(['public', 'status'], '/api/public/status', {
  staleTime: RENEWED_MS,
  refetchInterval: RENEWED_MS,
})

/** The secret goes in the body, never in an address. */
export const checkKey = (secret: string) => post<KeyChecked>('/api/public/key-check', { key: secret })
