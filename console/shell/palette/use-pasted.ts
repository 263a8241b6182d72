import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useMemo } from 'react'
import { instanceQuery } from '../../api/instance.ts'
import { useShellTexts } from '../../dictionaries/shell.ts'
import { writeClues } from './clue-address.ts'
import { PATHS } from '../../paths.ts'
import type { Command } from './command.ts'
import { readPastedLine } from './pasted-line.ts'
import { siteAddress } from '../../site.ts'
import { useDiagnose } from '../use-diagnose.ts'

/** What can be done with a text that reports something: open the request that it names, or have it diagnosed. */
export function usePasted(text: string): { readonly commands: readonly Command[]; readonly isSearchable: boolean } {
  const t = useShellTexts().palette
  const navigate = useNavigate()
  const diagnose = useDiagnose()
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const { request, clues, isSearchable } = useMemo(
    () => readPastedLine(text, { origin, also: siteAddress() }),
    [text, origin],
  )
  const common = { part: 'pasted', names: [], words: [] } as const
  return {
    isSearchable,
    commands: [
      ...(request === null
        ? []
        : [
            {
              ...common,
              id: 'record',
              icon: 'usage',
              label: t.record(request),
              focus: 'own',
              run: () => void navigate({ to: PATHS.usage, search: { record: request } }),
            } as const,
          ]),
      ...(clues === null
        ? []
        : [
            {
              ...common,
              id: 'diagnose-text',
              icon: 'diagnose',
              label: t.diagnose,
              detail: t.diagnoseDetail,
              focus: 'own',
              run: () => diagnose(writeClues(clues)),
            } as const,
          ]),
    ],
  }
}
