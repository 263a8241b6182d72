import type { ReactNode } from 'react'

/**
 * Where a column stands in a row of a phone, which has two lines: beside the name (`state`), or below it, with its header
 * (`figure`) or without (`plain`).
 */
export type PhonePlace = 'state' | 'figure' | 'plain'

/** One column of a table. */
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
  /** How many digits most of its amounts lack to the longest: the header stands above their edge. */
  readonly room?: number
  /** `title`: what names the row, and never hidden. `actions`: at the row's end, without a header. */
  readonly role?: 'title' | 'actions'
  /** Shown only when chosen. */
  readonly isHiddenAtFirst?: boolean
  /** Whether the row has nothing in it: a column without anything on a page is left out, unless it was chosen. */
  isEmptyFor?(row: Row): boolean
  /** Left out: a phone shows it only when chosen. */
  readonly onPhone?: PhonePlace
  /** A Tailwind width for the header cell, such as `w-40`. */
  readonly width?: string
}
