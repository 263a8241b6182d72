import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Clues } from '../../../src/causes/clues.ts'
import { checkBuild } from '../../api/connection.ts'
import { instanceQuery } from '../../api/instance.ts'
import { useMay } from '../../api/use-may.ts'
import { diagnoseDictionary } from '../../dictionaries/diagnose.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { loadedOnce } from '../../loaded-once.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { readClues, writeClues } from './clue-search.ts'
import { Findings } from './findings.tsx'
import { PasteBox } from './paste-box.tsx'
import { TestKey } from './test-key.tsx'

const ExplainRoute = lazyPart(() => import('./explain-route.tsx'), undefined, { isForFew: true })

const reader = loadedOnce(() => import('../../../src/causes/pasted-text.ts'))
whenIdle(() => void reader())

/** Why something failed: from whatever is pasted, or of a key, a model and a protocol. Its address is the diagnosis. */
export default function DiagnosePage(): ReactNode {
  const t = diagnoseDictionary.useTexts()
  const shared = useSharedTexts()
  const navigate = useNavigate()
  const origin = useQuery(instanceQuery).data?.origin ?? location.origin
  const mayExplain = useMay('staff')
  const search = useSearch({ strict: false })
  const clues = readClues(search, { origin })
  const show = (found: Clues | null): void =>
    void navigate({ to: '.', search: found === null ? {} : writeClues(found), resetScroll: false })
  return (
    <>
      <PageHeader
        title={shared.pages.diagnose}
        lead={t.lead}
        actions={
          clues !== null && (
            <span title={t.shareHint}>
              <CopyButton text={() => location.href} what={t.share} label={t.share} />
            </span>
          )
        }
      />
      <div className="grid min-w-0 grid-cols-1 gap-5">
        <PasteBox
          isDone={clues !== null}
          onRead={(text) =>
            void reader().then(
              ({ readPasted }) => show(readPasted(text, { origin, also: location.origin })),
              () => void checkBuild(),
            )
          }
          onClear={() => show(null)}
        />
        {clues !== null && <Findings key={JSON.stringify(search)} clues={clues} origin={origin} />}
        <TestKey clues={clues} onTest={show} />
        {mayExplain && <ExplainRoute />}
      </div>
    </>
  )
}
