import type { AlertWay, BudgetAlert } from '../../alerts/alert.ts'

export interface AlertRow {
  id: string
  kind: BudgetAlert['kind']
  subject_id: string
  percent: number | null
  limit_nano: bigint
  used_nano: bigint
  /** The length of the window, as the budget's row has it. */
  window_ms: number | null
  resets_at: number | null
  created_at: number
  /** What one for admins is about, by its name. */
  about: string | null
}

/** `next_try_at` null: nothing more will be tried. */
export interface AlertDeliveryRow {
  alert_id: string
  way: AlertWay
  tries: number
  next_try_at: number | null
  delivered_at: number | null
  failure: string | null
}
