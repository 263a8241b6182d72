import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayBeAnotherName } from '../../../src/causes/base-url.ts'
import type { Clues } from '../../../src/causes/clues.ts'
import type { DiagnosisView } from '../../../src/contract/diagnosis.ts'
import { diagnosisQuery } from '../../api/diagnosis.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { askedOf } from '../../shell/palette/clue-search.ts'
import { BaseUrlChoice } from './base-url-choice.tsx'
import { FaultFinding } from './fault-finding.tsx'
import { buttonsOf } from './finding-buttons.ts'
import { type Finding, findingsFrom } from './findings-from.ts'
import { TryLink } from '../try-link.tsx'
import { Proof } from './proof.tsx'

const ElsewhereFinding = lazyPart(() => import('./elsewhere-finding.tsx'), <SkeletonLines count={2} />, {
  isForFew: true,
})

/** The rows of the table of faults that apply, the surest first, with what proves them. */
export function Findings({ clues, origin }: { readonly clues: Clues; readonly origin: string }): ReactNode {
  const t = useTexts('diagnose')
  const asked = askedOf(clues)
  const answer = useQuery({ ...diagnosisQuery(asked ?? {}), enabled: asked !== null })
  if (answer.error !== null) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  const isWaiting = asked !== null && answer.data === undefined
  const findings = isWaiting ? [] : findingsFrom(clues, answer.data ?? null)
  const [first, ...others] = findings
  // One pair of base URLs is enough, however many findings ask for it.
  const urlsAt = findings.findIndex((finding) => buttonsOf(finding).hasBaseUrls)
  const record = answer.data?.record ?? null
  const { model, protocol } = clues
  const about = { origin, keyId: answer.data?.key?.id ?? null, model, protocol, record }
  const names = clues.seen.map((what) => t.seen[what])
  return (
    <Section title={t.answer} lead={names.length === 0 ? undefined : t.recognised(names)}>
      <div aria-live="polite" className="grid grid-cols-1 gap-4">
        {isWaiting && <SkeletonLines count={4} />}
        {!isWaiting && first === undefined && (
          <EmptyState icon="search" title={t.nothing}>
            {t.nothingText}
          </EmptyState>
        )}
        {first !== undefined && <OneFinding finding={first} hasBaseUrls={urlsAt === 0} {...about} />}
        {answer.data !== undefined && <Proof diagnosis={answer.data} />}
        {others.length > 0 && (
          <>
            <h3 className="font-medium">{t.also}</h3>
            {others.map((finding, index) => (
              <OneFinding
                key={JSON.stringify(finding)}
                finding={finding}
                hasBaseUrls={urlsAt === index + 1}
                {...about}
              />
            ))}
          </>
        )}
      </div>
    </Section>
  )
}

function OneFinding(props: {
  readonly finding: Finding
  readonly hasBaseUrls: boolean
  readonly origin: string
  readonly keyId: string | null
  readonly model: string | null
  readonly protocol: string | null
  readonly record: DiagnosisView['record']
}): ReactNode {
  const t = useTexts('diagnose')
  const format = useFormat()
  const { finding, hasBaseUrls, origin, keyId, model, protocol, record } = props
  const noRecordText = (deleted: DiagnosisView['deleted']): string =>
    deleted === null ? t.noRecordText : t.deletedText[deleted.records](format.time(deleted.kept_since))
  switch (finding.kind) {
    case 'fault':
      return <FaultFinding finding={finding} baseUrlsOf={hasBaseUrls ? origin : null} keyId={keyId} request={record} />
    case 'failure':
    case 'answered':
    case 'status':
      return <ElsewhereFinding finding={finding}>{hasBaseUrls && <BaseUrlChoice origin={origin} />}</ElsewhereFinding>
    case 'elsewhere':
      return (
        <Notice tone="bad" title={t.elsewhere(finding.origin)}>
          <p>{mayBeAnotherName(finding.origin) ? t.otherNameText : t.elsewhereText}</p>
          {hasBaseUrls && <BaseUrlChoice origin={origin} />}
        </Notice>
      )
    case 'no_record':
      return (
        <Notice tone="warn" title={t.noRecord(finding.id)}>
          {noRecordText(finding.deleted)}
        </Notice>
      )
    case 'no_key':
      return (
        <Notice tone="warn" title={t.noKey(finding.end)}>
          {t.noKeyText}
        </Notice>
      )
    case 'keys_alike':
      return (
        <Notice tone="warn" title={t.keysAlike(finding.count, finding.end)}>
          {t.keysAlikeText}
        </Notice>
      )
    case 'went_well':
      return (
        <Notice tone="good" title={t.wentWell}>
          {t.wentWellText}
        </Notice>
      )
    case 'passes':
      return (
        <Notice tone={finding.targets === 0 ? 'warn' : 'good'} title={finding.isOfModel ? t.passesNow : t.passesNowKey}>
          <p>{t.passesNowText(finding.targets)}</p>
          {finding.targets !== 0 && (
            <p className="mt-3">
              <TryLink model={model} keyId={keyId} protocol={protocol} />
            </p>
          )}
        </Notice>
      )
  }
}
