import { queryOptions } from '@tanstack/react-query'
import type {
  ApiKeyView,
  KeyCreate,
  KeyPatch,
  KeyRaiseQuota,
  KeysBulk,
  KeysBulkAnswer,
  KeysPage,
  KeyTags,
  KeyTest,
  KeyWithSecret,
} from '../../src/contract/keys.ts'
import { nullIfMissing } from './api-problem.ts'
import { patch, post, type QueryValue, read, readKept, remove, request } from './request.ts'

/** A key that was just made or rotated. It belongs into the state of one component, and nowhere else. */
export interface MadeKey {
  readonly key: ApiKeyView
  /** null: the answer that had it was lost, and the repeated one says it no more. */
  readonly secret: string | null
}

/** One page of the own keys, as the table asks for it. */
export const keysQuery = (query: Readonly<Record<string, QueryValue>>) =>
  readKept<KeysPage>(['keys', 'list', query], '/api/keys', query)

/** The tags of the own keys, the most used first. */
export const keyTagsQuery = read<KeyTags>(['keys', 'tags'], '/api/keys/tags')

/** One of the own keys; null: there is none of this id. */
export const keyQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'one', id],
    queryFn: ({ signal }) => request<ApiKeyView>(pathOf(id), { signal }).catch(nullIfMissing),
  })

export function createKey(body: KeyCreate, idempotencyKey: string): Promise<KeyWithSecret> {
  return post('/api/keys', body, idempotencyKey)
}

/** `version`: of the key as it was read; left out, what was changed meanwhile is overwritten. */
export function changeKey(id: string, body: KeyPatch, version?: string): Promise<ApiKeyView> {
  return patch(pathOf(id), body, version)
}

/** More than its quota until a time, at which what it was holds again. */
export function raiseQuota(id: string, body: KeyRaiseQuota): Promise<ApiKeyView> {
  return post(`${pathOf(id)}/raise-quota`, body)
}

export function endQuotaRaise(id: string): Promise<ApiKeyView> {
  return post(`${pathOf(id)}/end-raise`)
}

export function deleteKey(id: string): Promise<void> {
  return remove(pathOf(id))
}

/** `overlapSeconds`: how long the old secret goes on working. */
export function rotateKey(id: string, overlapSeconds: number, idempotencyKey?: string): Promise<KeyWithSecret> {
  return request(`${pathOf(id)}/rotate`, {
    method: 'POST',
    body: { overlap_seconds: overlapSeconds },
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  })
}

export function changeKeys(body: KeysBulk): Promise<KeysBulkAnswer> {
  return post('/api/keys/bulk', body)
}

/** Whether the key could call a model now: asked without its secret, and for nothing. Never from an earlier answer. */
export const keyTestQuery = (id: string) =>
  queryOptions({
    queryKey: ['keys', 'test', id],
    queryFn: ({ signal }) => request<KeyTest>(`${pathOf(id)}/test`, { method: 'POST', body: {}, signal }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })

function pathOf(id: string): string {
  return `/api/keys/${encodeURIComponent(id)}`
}
