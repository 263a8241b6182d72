import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { Clues } from '../../../src/causes/clues.ts'
import { checkBuild } from '../../api/connection.ts'
import { instanceQuery } from '../../api/instance.ts'
import { useMay } from '../../api/use-may.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { loadedOnce } from '../../loaded-once.ts'
import { writeClues } from '../../shell/palette/clue-address.ts'
import { readClues } from '../../shell/palette/clue-search.ts'
import { diagnosisIn, withDiagnosis } from '../../shell/diagnosis-search.ts'
import type { FlatSearch } from '../../table/table-search.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Disclosure } from '../../ui/disclosure.tsx'
import { Drawer } from '../../ui/dialog.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import Findings from './findings.tsx'
import { PasteBox } from './paste-box.tsx'
import { siteAddress } from '../../site.ts'

const ExplainRoute = lazyPart(() => import('./explain-route.tsx'), undefined, { isForFew: true })

const reader = loadedOnce(() => import('../../../src/causes/pasted-text.ts'))
whenIdle(() => void reader())

/** Why something failed, from whatever is pasted, in front of any page. The page's address has the diagnosis as well. */
export default function DiagnoseDrawer(): ReactNode {
  const t = useTexts('diagnose')
  const navigate = useNavigate()
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const mayExplain = useMay('staff')
  const search: FlatSearch = useSearch({ strict: false })
  const asked = diagnosisIn(search)
  const clues = asked === null ? null : readClues(asked, { origin })
  const show = (found: Clues | 'nothing' | 'closed'): void => {
    const wanted = found === 'closed' ? null : found === 'nothing' ? {} : writeClues(found)
    void navigate({ to: '.', search: withDiagnosis(search, wanted), resetScroll: false })
  }
  return (
    <Drawer isOpen={asked !== null} onClose={() => show('closed')} title={t.title} description={t.lead}>
      <div className="grid min-w-0 grid-cols-1 gap-4">
        <PasteBox
          isDone={clues !== null}
          onRead={(text) =>
            void reader().then(
              ({ readPasted }) => show(readPasted(text, { origin, also: siteAddress() })),
              () => void checkBuild(),
            )
          }
          onClear={() => show('nothing')}
        />
        {clues !== null && (
          <>
            <Findings key={JSON.stringify(asked)} clues={clues} origin={origin} />
            <div title={t.shareHint}>
              <CopyButton text={() => location.href} what={t.share} label={t.share} />
            </div>
          </>
        )}
        {mayExplain && (
          <Disclosure title={t.explain.title}>
            <ExplainRoute />
          </Disclosure>
        )}
      </div>
    </Drawer>
  )
}
