import type { CapturedRequestView, CaptureRead, CaptureView } from '../../src/contract/captures.ts'
import { apiPath, post, read, readIfThere, remove } from './request.ts'

const RUNNING_RENEWED_MS = 3_000

/** The last capture of a key, and what it kept. Renewed while it runs. */
export const captureQuery = (keyId: string) =>
  read<CaptureRead>(['keys', 'capture', keyId], apiPath`/api/keys/${keyId}/capture`, {
    refetchInterval: ({ state }) => (state.data?.capture?.is_running === true ? RUNNING_RENEWED_MS : false),
  })

/** One captured request; null: it is gone. The audit says who looked, so it is asked for once. */
export const capturedRequestQuery = (keyId: string, requestId: string) =>
  readIfThere<CapturedRequestView>(
    ['captured-request', keyId, requestId],
    apiPath`/api/keys/${keyId}/capture/${requestId}`,
    {
      staleTime: Infinity,
      gcTime: 0,
      refetchOnWindowFocus: false,
      refetchOnReconnect: false,
      retry: false,
    },
  )

export const beginCapture = (keyId: string) => post<CaptureView>(apiPath`/api/keys/${keyId}/capture`)

export const endCapture = (keyId: string) => remove(apiPath`/api/keys/${keyId}/capture`)
