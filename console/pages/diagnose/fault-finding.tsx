import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Fix, fixesOf } from '../../../src/causes/fixes.ts'
import type { FaultCode } from '../../../src/contract/usage.ts'
import { meQuery } from '../../api/me.ts'
import { causesDictionary } from '../../dictionaries/causes.ts'
import { diagnoseDictionary } from '../../dictionaries/diagnose.ts'
import { faultsDictionary, faultTextOf } from '../../dictionaries/faults.ts'
import { refusalsDictionary } from '../../dictionaries/refusals.ts'
import { AskAdmin } from '../../faults/ask-admin.tsx'
import type { SupportMessage } from '../../faults/support-message.ts'
import { useFormat } from '../../format/use-format.ts'
import { PATHS } from '../../paths.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice } from '../../ui/notice.tsx'
import type { Finding } from './findings-from.ts'

/** One row of the table of faults: its cause by the facts that are known, what to do, and what fixes it. */
export function FaultFinding(props: {
  readonly finding: Extract<Finding, { kind: 'fault' }>
  readonly keyId: string | null
  /** What was found of the request that failed. */
  readonly request: { readonly id: string; readonly created_at: string; readonly model: string | null } | null
}): ReactNode {
  const t = diagnoseDictionary.useTexts()
  const faults = faultsDictionary.useTexts()
  const { explain } = causesDictionary.useTexts()
  const format = useFormat()
  const { finding, keyId, request } = props
  const email = useQuery(meQuery).data?.email ?? null
  const page = faultTextOf(faults, finding.code)
  const code = finding.code as FaultCode
  const explained = page === undefined ? null : explain(code, finding.facts ?? {}, { time: format.second })
  const title = page?.title ?? finding.code
  const { cause, remedy } = explained ?? page ?? { cause: finding.reported ?? '', remedy: '' }
  const fixes = page === undefined ? [] : fixesOf(code, finding.facts)
  const named = refusalsDictionary.useTexts().toAdmin
  const message: SupportMessage = {
    subject: request === null ? title : named.subject(title, request.id),
    words: [t.adminMessage(title, cause)],
    facts: [
      [named.id, request?.id ?? null],
      [named.time, request?.created_at ?? null],
      [named.model, request?.model ?? null],
      [named.code, finding.code],
      [named.account, email],
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
      <div className="mt-3 flex flex-wrap items-center gap-2">
        {fixes.map((fix) => (
          <FixButton key={JSON.stringify(fix)} fix={fix} keyId={keyId} message={message} />
        ))}
        <a href={`/docs/errors/${finding.code}`} target="_blank" rel="noreferrer" className={buttonClass('quiet')}>
          <Icon name="external" />
          {t.faultPage(finding.code)}
        </a>
      </div>
    </Notice>
  )
}

function FixButton(props: {
  readonly fix: Fix
  readonly keyId: string | null
  readonly message: SupportMessage
}): ReactNode {
  const { fix, keyId, message } = props
  const t = diagnoseDictionary.useTexts().fixes
  const toKey = (label: string): ReactNode => (
    <Link to={PATHS.keys} search={keyId === null ? {} : { edit: keyId }} className={buttonClass('secondary')}>
      {label}
    </Link>
  )
  switch (fix.kind) {
    case 'edit_key':
      return toKey(t.toKey)
    case 'allow_model':
      return toKey(t.allowModel(fix.model))
    case 'allow_address':
      return toKey(t.allowAddress(fix.address))
    case 'enable_key':
      return toKey(t.enableKey)
    case 'rotate_key':
      return (
        <Link to={PATHS.keys} className={buttonClass('secondary')}>
          {t.rotateKey}
        </Link>
      )
    case 'create_key':
      return (
        <Link to={PATHS.keys} search={{ new: '1' }} className={buttonClass('secondary')}>
          {t.createKey}
        </Link>
      )
    case 'copy_base_url':
      return <CopyButton text={fix.url} what={t.copyUrl(fix.url)} label={t.copyUrl(fix.url)} />
    case 'copy_model':
      return <CopyButton text={fix.model} what={t.copyModel(fix.model)} label={t.copyModel(fix.model)} />
    case 'show_models':
      return (
        <Link to={PATHS.models} className={buttonClass('secondary')}>
          {t.showModels}
        </Link>
      )
    case 'add_credit':
      return (
        <Link to={PATHS.billing} className={buttonClass('secondary')}>
          {t.addCredit}
        </Link>
      )
    case 'ask_admin':
      return <AskAdmin message={message} />
  }
}
