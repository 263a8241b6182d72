import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { loadTexts } from './dictionaries/texts.ts'
import { diagnosisIn } from './shell/diagnosis-search.ts'
import type { FlatSearch } from './table/table-search.ts'
import { lazyPart } from './ui/lazy-part.tsx'

const DiagnoseDrawer = lazyPart(
  async () =>
    (await Promise.all([import('./pages/diagnose/diagnose-drawer.tsx'), loadTexts('diagnose', 'faults', 'causes')]))[0],
  null,
  { isForFew: true },
)

/** The diagnosis that an address asks for, in front of any page. Once there, it stays, so that it can fade. */
export function InFront(): ReactNode {
  const search: FlatSearch = useSearch({ strict: false })
  const [wasAsked, setAsked] = useState(false)
  if (diagnosisIn(search) !== null && !wasAsked) setAsked(true)
  return wasAsked ? <DiagnoseDrawer /> : null
}
