import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, use, useState } from 'react'
import { type Clues, NOTHING } from '../../../src/causes/clues.ts'
import { checkBuild } from '../../api/connection.ts'
import { instanceQuery } from '../../api/instance.ts'
import { modelsQuery } from '../../api/models.ts'
import { useMay } from '../../api/use-may.ts'
import { loadTexts, useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { SelectField } from '../../forms/select-field.tsx'
import { loadedOnce } from '../../loaded-once.ts'
import { hasClues, writeClues } from '../../shell/palette/clue-address.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { NotRead } from '../../ui/error-state.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { whenIdle } from '../../ui/when-idle.ts'
import { KeyField, ProtocolField, useOfferedKeys } from './choose-key.tsx'
import { PasteBox } from './paste-box.tsx'
import { siteAddress } from '../../site.ts'

const ExplainRoute = lazyPart(
  async () => {
    const words = loadTexts('faults')
    const file = await import('./explain-route.tsx')
    await words
    return file
  },
  undefined,
  { isForFew: true },
)

const reader = loadedOnce(() => import('../../../src/causes/pasted-text.ts'))
whenIdle(() => void reader())

const addressReader = loadedOnce(() => import('../../shell/palette/clue-search.ts'))

/** What explains a cause is large, and comes with the words that it is written in. */
const Findings = lazyPart(
  async () => {
    const words = loadTexts('faults', 'causes', 'refusals')
    const file = await import('./findings.tsx')
    await words
    return file
  },
  <SkeletonLines count={4} />,
)

/** Why something failed: from whatever is pasted, or of a key, a model and a protocol. Its address is the diagnosis. */
export default function DiagnosePage(): ReactNode {
  const t = useTexts('diagnose')
  const shared = useSharedTexts()
  const navigate = useNavigate()
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const mayExplain = useMay('staff')
  const search = useSearch({ strict: false })
  const clues = hasClues(search) ? use(addressReader()).readClues(search, { origin }) : null
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
              ({ readPasted }) => show(readPasted(text, { origin, also: siteAddress() })),
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

const TestMessage = lazyPart(() => import('../keys/test-message.tsx'))

/** A key, a model and a protocol: judged as the gateway would judge a request now, or tried with a small real one. */
function TestKey({ clues, onTest }: { readonly clues: Clues | null; onTest(clues: Clues): void }): ReactNode {
  const t = useTexts('diagnose')
  // What the clues name is looked for, whichever of any number of keys it is.
  const offered = useOfferedKeys({ initial: clues?.end ?? '' })
  const { chosen } = offered
  const models = useQuery(modelsQuery).data ?? []
  const [model, setModel] = useState<string | null>(clues?.model ?? null)
  const [protocol, setProtocol] = useState<string>(clues?.protocol ?? 'openai-chat')
  return (
    <Section title={t.test} lead={t.testLead}>
      <NotRead query={offered.query} />
      <form
        className="grid items-end gap-4 sm:grid-cols-2 lg:grid-cols-[1fr_1fr_1fr_auto]"
        onSubmit={(event) => {
          event.preventDefault()
          if (chosen === null) return
          onTest({ ...NOTHING, end: chosen, model, protocol: protocol as Clues['protocol'], seen: ['key'] })
        }}
      >
        <KeyField name="key" label={t.key} offered={offered} />
        <SelectField<string>
          name="model"
          label={t.model}
          value={model ?? ''}
          onValue={(name) => setModel(name === '' ? null : name)}
          options={[{ value: '', label: t.anyModel }, ...models.map(({ name }) => ({ value: name, label: name }))]}
        />
        <ProtocolField name="protocol" protocol={protocol} onValue={setProtocol} />
        <Button type="submit" icon="play" aria-disabled={chosen === null}>
          {t.check}
        </Button>
      </form>
      <div className="mt-4 grid grid-cols-1 gap-2 border-t border-line pt-4">
        <h3 className="font-medium">{t.live}</h3>
        {chosen === null || model === null ? (
          <p className="text-sm text-ink-2">{t.liveNeeds}</p>
        ) : (
          <TestMessage
            key={`${chosen} ${model} ${protocol}`}
            keyId={chosen}
            asked={{ model, protocol: protocol as NonNullable<Clues['protocol']> }}
          />
        )}
      </div>
    </Section>
  )
}
