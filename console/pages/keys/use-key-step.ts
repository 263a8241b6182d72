import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import type { ApiKeyView } from '../../../src/contract/keys.ts'
import { keyQuery } from '../../api/keys.ts'
import { flatSearch, type FlatSearch } from '../../table/table-search.ts'
import { readKeyStep, writeKeyStep, type KeyStep } from './key-step.ts'

export interface KeySteps {
  readonly step: KeyStep | null
  /** The address asks for something with a key that cannot be shown: the error, or null where there is no such key. */
  readonly missing: { readonly error: Error | null } | null
  /** Opens a step. The function is the same in each drawing. */
  open(step: KeyStep): void
  close(): void
}

/** What is being done on the page, in its address where that can be sent to others and undone with Back. */
export function useKeyStep(): KeySteps {
  const flat: FlatSearch = useSearch({ strict: false })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [unaddressed, setUnaddressed] = useState<KeyStep | null>(null)
  const [closedAt, setClosedAt] = useState<FlatSearch | null>(null)
  // What was closed would open again for the moment until the address is another.
  const addressed = closedAt === flat ? null : readKeyStep(flat)
  const keyId = addressed === null || addressed.kind === 'create' ? '' : addressed.keyId
  const found = useQuery({ ...keyQuery(keyId), enabled: keyId !== '' })
  const go = (step: KeyStep | null): void => {
    if (writeKeyStep(flat, step) === undefined) return setUnaddressed(step)
    setUnaddressed(null)
    if (step !== null && step.kind !== 'create')
      queryClient.setQueryData(keyQuery(step.apiKey.id).queryKey, step.apiKey)
    if (step === null && addressed === null) return
    if (step === null) setClosedAt(flat)
    // By the address of that moment: a search that was typed just before may have come into it.
    const search = (raw: Record<string, unknown>) => writeKeyStep(flatSearch(raw), step) ?? {}
    void navigate({ to: '.', search, resetScroll: false })
  }
  const latest = useRef(go)
  latest.current = go
  const isMissing = keyId !== '' && (found.data === null || (found.data === undefined && found.error !== null))
  return {
    step: unaddressed ?? stepOf(addressed, found.data),
    missing: isMissing ? { error: found.error } : null,
    open: useCallback((step: KeyStep) => latest.current(step), []),
    close: () => go(null),
  }
}

function stepOf(addressed: ReturnType<typeof readKeyStep>, apiKey: ApiKeyView | null | undefined): KeyStep | null {
  if (addressed === null || addressed.kind === 'create') return addressed
  return apiKey === null || apiKey === undefined ? null : { kind: addressed.kind, apiKey }
}
