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
import { apiPath, patch, post, type QueryValue, read, readIfThere, readKept, remove } from './request.ts'

/** A key that was just made or rotated. It belongs into the state of one component, and nowhere else. */
export interface MadeKey {
  readonly key: ApiKeyView
  /** null: the answer that had it was lost, and the repeated one says it no more. */
  readonly secret: string | null
}

/** One page of the own keys, as the table asks for it. */
export const keysQuery = (query: Readonly<Record<string, QueryValue>>) =>
  readKept<KeysPage>(['keys', 'list', query], '/api/keys', { query })

/** The tags of the own keys, the most used first. */
export const keyTagsQuery = read<KeyTags>(['keys', 'tags'], '/api/keys/tags')

/** One of the own keys; null: there is none of this id. */
export const keyQuery = (id: string) => readIfThere<ApiKeyView>(['keys', 'one', id], apiPath`/api/keys/${id}`)

export const createKey = (body: KeyCreate, idempotencyKey: string) =>
  post<KeyWithSecret>('/api/keys', body, idempotencyKey)

/** `version`: of the key as it was read; left out, what was changed meanwhile is overwritten. */
export const changeKey = (id: string, body: KeyPatch, version?: string) =>
  patch<ApiKeyView>(apiPath`/api/keys/${id}`, body, version)

/** More than its quota until a time, at which what it was holds again. */
export const raiseQuota = (id: string, body: KeyRaiseQuota) =>
  post<ApiKeyView>(apiPath`/api/keys/${id}/raise-quota`, body)

export const endQuotaRaise = (id: string) => post<ApiKeyView>(apiPath`/api/keys/${id}/end-raise`)

export const deleteKey = (id: string) => remove(apiPath`/api/keys/${id}`)

/** `overlapSeconds`: how long the old secret goes on working. */
export const rotateKey = (id: string, overlapSeconds: number, idempotencyKey?: string) =>
  post<KeyWithSecret>(apiPath`/api/keys/${id}/rotate`, { overlap_seconds: overlapSeconds }, idempotencyKey)

export const changeKeys = (body: KeysBulk) => post<KeysBulkAnswer>('/api/keys/bulk', body)

/** Whether the key could call a model now: asked without its secret, and for nothing. Never from an earlier answer. */
export const keyTestQuery = (id: string) =>
  read<KeyTest>(['keys', 'test', id], apiPath`/api/keys/${id}/test`, {
    method: 'POST',
    body: {},
    staleTime: 0,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  })
