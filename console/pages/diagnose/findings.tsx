import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { mayBeAnotherName } from '../../../src/causes/base-url.ts'
import type { Clues } from '../../../src/causes/clues.ts'
import type { DiagnosisView } from '../../../src/contract/diagnosis.ts'
import type { FaultCode } from '../../../src/contract/usage.ts'
import { diagnosisQuery } from '../../api/diagnosis.ts'
import { meQuery } from '../../api/me.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { buttonsOf } from './finding-buttons.ts'
import { type Finding, findingsFrom } from './findings-from.ts'
import { Proof } from './proof.tsx'
import { AskAdmin } from '../faults/ask-admin.tsx'
import { FixButtons } from '../faults/fault-fixes.tsx'
import type { SupportMessage } from '../faults/support-message.ts'
import { TryLink } from '../try-link.tsx'
import { askedOf } from '../../shell/palette/clue-address.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyField } from '../../ui/copy-field.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Icon } from '../../ui/icon.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { atSite } from '../../site.ts'

const ElsewhereFinding = lazyPart(() => import('./elsewhere-finding.tsx'), <SkeletonLines count={2} />, {
  isForFew: true,
})

/** The rows of the table of faults that apply, the surest first, with what proves them. */
export default function Findings({ clues, origin }: { readonly clues: Clues; readonly origin: string }): ReactNode {
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
    case 'cloud':
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

/** One row of the table of faults: its cause by the facts that are known, what to do, and what fixes it. */
function FaultFinding(props: {
  readonly finding: Extract<Finding, { kind: 'fault' }>
  /** The gateway's origin, where its base URLs are to be copied here; null: they are not. */
  readonly baseUrlsOf: string | null
  readonly keyId: string | null
  /** What was found of the request that failed. */
  readonly request: { readonly id: string; readonly created_at: string; readonly model: string | null } | null
}): ReactNode {
  const t = useTexts('diagnose')
  const faults = useTexts('faults')
  const { explain } = useTexts('causes')
  const format = useFormat()
  const { finding, baseUrlsOf, keyId, request } = props
  const me = useQuery(meQuery).data
  const page = faultTextOf(faults, finding.code)
  const code = finding.code as FaultCode
  const explained = page === undefined ? null : explain(code, finding.facts ?? {}, { time: format.second })
  const title = page?.title ?? finding.code
  const { cause, remedy } = explained ?? page ?? { cause: finding.reported ?? '', remedy: '' }
  const { fixes } = buttonsOf(finding, me?.rights)
  const named = useTexts('refusals').toAdmin
  const message: SupportMessage = {
    subject: request === null ? title : named.subject(title, request.id),
    words: [t.adminMessage(title, cause)],
    facts: [
      [named.id, request?.id ?? null],
      [named.time, request?.created_at ?? null],
      [named.model, request?.model ?? null],
      [named.code, finding.code],
      [named.account, me?.email ?? null],
    ],
  }
  const after = { past_and_now: t.stillNow, healed: t.healedNow, past: null, now: null, text: null }[finding.when]
  return (
    <Notice
      tone={finding.when === 'healed' ? 'warn' : 'bad'}
      title={finding.when === 'now' ? t.refusedNow(title) : title}
    >
      <p>{cause}</p>
      <p className="mt-1 font-medium">{remedy}</p>
      {finding.reported !== null && <p className="mt-1.5 text-sm text-ink-2">{t.clientGot(finding.reported)}</p>}
      {after !== null && <p className="mt-1.5">{after}</p>}
      {baseUrlsOf !== null && <BaseUrlChoice origin={baseUrlsOf} />}
      <div className="mt-3 flex flex-wrap items-center gap-2">
        <FixButtons
          fixes={page === undefined ? [] : fixes}
          facts={finding.facts ?? {}}
          keyId={keyId}
          askAdmin={(look) => <AskAdmin message={message} look={look} />}
        />
        <a
          href={atSite(`/docs/errors/${finding.code}`)}
          target="_blank"
          rel="noreferrer"
          className={buttonClass('quiet')}
        >
          <Icon name="external" />
          {t.faultPage(finding.code)}
        </a>
      </div>
    </Notice>
  )
}

/** The gateway's base URLs to copy, for the two kinds of clients. */
function BaseUrlChoice({ origin }: { readonly origin: string }): ReactNode {
  const t = useTexts('diagnose')
  return (
    <div className="mt-3 grid gap-3 sm:grid-cols-2">
      <CopyField label={t.openaiUrl} value={`${origin}/v1`} />
      <CopyField label={t.anthropicUrl} value={origin} />
    </div>
  )
}
