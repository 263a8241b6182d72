import type { ColumnType } from 'kysely'
import type { CaptureEnd, CapturedSummary } from '../../access/capture.ts'

/** One of a key, at most. */
export interface CaptureRow {
  id: string
  key_id: string
  account_id: string
  begun_by: string
  created_at: number
  ends_at: number
  kept: number
  missed: number
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
