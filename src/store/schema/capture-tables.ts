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
  /** From 1 on. */
  nr: number
  request_id: string
  /** Of what is sealed. */
  bytes: number
  summary_json: ColumnType<CapturedSummary, string, string>
  sealed: string
}
