import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { FaultCode } from '../../../src/contract/usage.ts'
import { meQuery } from '../../api/me.ts'
import { useTexts } from '../../dictionaries/texts.ts'
import { faultTextOf } from '../../dictionaries/fault-text.ts'
import { AskAdmin } from '../faults/ask-admin.tsx'
import { FixButtons } from '../faults/fault-fixes.tsx'
import type { SupportMessage } from '../faults/support-message.ts'
import { useFormat } from '../../format/use-format.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BaseUrlChoice } from './base-url-choice.tsx'
import { buttonsOf } from './finding-buttons.ts'
import type { Finding } from './findings-from.ts'

/** One row of the table of faults: its cause by the facts that are known, what to do, and what fixes it. */
export function FaultFinding(props: {
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
        <a href={`/docs/errors/${finding.code}`} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          <Icon name="external" />
          {t.faultPage(finding.code)}
        </a>
      </div>
    </Notice>
  )
}
