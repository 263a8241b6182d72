/** A thread that serves. */
export interface NodeRow {
  id: string
  host: string
  process_id: number
  seen_seq: number
  /** Grows while the process lives. */
  beat: number
  /** What it says of itself; null: nothing yet. */
  version: string | null
  in_flight: number | null
  busy_permille: number | null
  database_ahead_ms: number | null
  providers_ahead_ms: number | null
}
