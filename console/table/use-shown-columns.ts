import { useState } from 'react'
import type { Column } from './column.ts'

export interface ShownColumns<Row> {
  readonly shown: readonly Column<Row>[]
  /** Those that may be hidden, with whether they are shown. */
  readonly choices: readonly { readonly id: string; readonly header: string; readonly isShown: boolean }[]
  toggle(id: string): void
}

/** Which columns of the table called `name` this browser shows; kept for the next visit. */
export function useShownColumns<Row>(name: string, columns: readonly Column<Row>[]): ShownColumns<Row> {
  const storageKey = `tollgate.columns.${name}`
  const [flipped, setFlipped] = useState<readonly string[]>(() => readList(storageKey))
  const isShown = (column: Column<Row>): boolean =>
    column.role !== undefined || flipped.includes(column.id) === (column.isHiddenAtFirst === true)
  return {
    shown: columns.filter(isShown),
    choices: columns
      .filter((column) => column.role === undefined)
      .map((column) => ({ id: column.id, header: column.header, isShown: isShown(column) })),
    toggle: (id) => {
      const next = flipped.includes(id) ? flipped.filter((other) => other !== id) : [...flipped, id]
      setFlipped(next)
      keepList(storageKey, next)
    },
  }
}

function readList(name: string): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(name) ?? '[]')
    return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
  } catch {
    return []
  }
}

function keepList(name: string, list: readonly string[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(list))
  } catch {
    // A browser may forbid storage; then the choice lasts as long as the page.
  }
}
