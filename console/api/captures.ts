import { queryOptions } from '@tanstack/react-query'
import type { CapturedRequestView, CaptureRead, CaptureView } from '../../src/contract/captures.ts'
import { nullIfMissing } from './api-problem.ts'
import { post, read, remove, request } from './request.ts'

const RUNNING_RENEWED_MS = 3_000

/** The last capture of a key, and what it kept. Renewed while it runs. */
export const captureQuery = (keyId: string) =>
  queryOptions({
    ...read<CaptureRead>(['keys', 'capture', keyId], pathOf(keyId)),
    refetchInterval: ({ state }) => (state.data?.capture?.is_running === true ? RUNNING_RENEWED_MS : false),
  })

/** One captured request; null: it is gone. The audit says who looked, so it is asked for once. */
export const capturedRequestQuery = (keyId: string, requestId: string) =>
  queryOptions({
    queryKey: ['captured-request', keyId, requestId],
    queryFn: ({ signal }) =>
      request<CapturedRequestView>(`${pathOf(keyId)}/${encodeURIComponent(requestId)}`, { signal }).catch(
        nullIfMissing,
      ),
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    retry: false,
  })

export function beginCapture(keyId: string): Promise<CaptureView> {
  return post(pathOf(keyId))
}

export function endCapture(keyId: string): Promise<void> {
  return remove(pathOf(keyId))
}

function pathOf(keyId: string): string {
  return `/api/keys/${encodeURIComponent(keyId)}/capture`
}
