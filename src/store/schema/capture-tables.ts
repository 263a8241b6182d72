import type { ColumnType } from 'kysely'
import type { Capture, CapturedSummary, CaptureEnd } from '../../access/capture.ts'
import type { RowOf } from './row-of.ts'

/** One of a key, at most. */
export type CaptureRow = RowOf<Omit<Capture, 'ended'>> & {
  ended_at: number | null
  ended_because: CaptureEnd | null
}

export interface CapturedRequestRow {
  capture_id: string
  /** The number of the request in its capture, from 1. */
  nr: number
  request_id: string
  /** How long the content was before it was sealed. */
  bytes: number
  summary_json: ColumnType<CapturedSummary, string, string>
  sealed: string
}
