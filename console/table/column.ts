import type { ReactNode } from 'react'

/** One column of a table, which on a phone is one line of a card. */
export interface Column<Row> {
  readonly id: string
  readonly header: string
  cell(row: Row): ReactNode
  /** The API's field to sort by. Left out: it cannot be sorted. */
  readonly sort?: string
  /** Amounts and times are asked for the largest or latest first. Left out: ascending. */
  readonly sortsFirst?: 'desc'
  /** Numbers and amounts stand at the end. */
  readonly align?: 'start' | 'end'
  /** `title`: the head of the card, and never hidden. `actions`: at the card's corner, without a header. */
  readonly role?: 'title' | 'actions'
  /** Shown only when chosen. */
  readonly isHiddenAtFirst?: boolean
  /** A Tailwind width for the header cell, such as `w-40`. */
  readonly width?: string
}
