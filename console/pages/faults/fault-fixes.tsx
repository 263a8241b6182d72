import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState, type ReactNode } from 'react'
import type { FaultFacts } from '../../../src/causes/explanation.ts'
import { type Fix, fixesOf, type KeyField } from '../../../src/causes/fixes.ts'
import type { ApiKeyView, KeyPatch } from '../../../src/contract/keys.ts'
import type { FaultCode } from '../../../src/contract/usage.ts'
import { ADMIN_PATHS } from '../../admin-pages.ts'
import { instanceQuery } from '../../api/instance.ts'
import { changeKey, keyQuery } from '../../api/keys.ts'
import { meQuery } from '../../api/me.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import type { KeyFix, KeyStep } from '../keys/key-step.ts'
import { PATHS } from '../../paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { lazyPart } from '../../ui/lazy-part.tsx'
import { useChange } from '../../forms/use-change.ts'
import { AskAdmin } from './ask-admin.tsx'
import { factsOf, type FaultedRequest, useFaultText } from './use-fault-text.ts'
import { siteAddress } from '../../site.ts'

const KeyStepDialog = lazyPart(() => import('../keys/key-step-dialog.tsx'))
const EnableGroup = lazyPart(() => import('./enable-group.tsx'), undefined, { isForFew: true })
const CreditDialog = lazyPart(() => import('./credit-dialog.tsx'), undefined, { isForFew: true })

/** The buttons that make a refused request pass, the likeliest first. Nothing where no button can. */
export function FaultFixes({
  request,
  isWithoutFacts = false,
}: {
  readonly request: FaultedRequest
  /** What support needs can be copied beside it already. */
  readonly isWithoutFacts?: boolean
}): ReactNode {
  const t = useTexts('refusals').fix
  const rights = useQuery(meQuery).data?.rights
  if (request.fault === null) return null
  const facts = factsOf(request) ?? {}
  const fixes = fixesOf(request.fault as FaultCode, facts, rights)
  if (fixes.length === 0) return null
  return (
    <div role="group" aria-label={t.title} className="flex flex-wrap gap-2">
      <FixButtons
        fixes={fixes}
        facts={facts}
        keyId={request.key_id}
        askAdmin={(look) => <MessageToAdmin request={request} look={look} isWithoutFacts={isWithoutFacts} />}
      />
    </div>
  )
}

type Look = 'primary' | 'secondary'

interface Refusal {
  readonly facts: FaultFacts
  /** null: not one of the reader's. */
  readonly keyId: string | null
  askAdmin(look: Look): ReactNode
}

/** The buttons themselves, wherever a refusal is explained: the first is the likeliest. */
export function FixButtons({ fixes, ...refusal }: Refusal & { readonly fixes: readonly Fix[] }): ReactNode {
  return fixes.map((fix, index) => (
    <FixButton key={Object.values(fix).join(' ')} fix={fix} look={index === 0 ? 'primary' : 'secondary'} {...refusal} />
  ))
}

function FixButton(props: Refusal & { readonly fix: Fix; readonly look: Look }): ReactNode {
  const t = useTexts('refusals').fix
  const { fix, look, keyId, facts } = props
  switch (fix.kind) {
    case 'edit_key': {
      const { field } = fix
      return (
        <StepButton {...{ look, keyId }} label={editLabel(field, t)} step={{ kind: 'edit', fix: { field, facts } }} />
      )
    }
    case 'rotate_key':
      return <StepButton {...{ look, keyId }} label={t.rotate} step={{ kind: 'rotate' }} />
    case 'enable_key':
      return <ChangeButton {...{ look, keyId }} label={t.enable} change={() => ({ status: 'active' })} />
    case 'allow_model':
      return (
        <ChangeButton
          {...{ look, keyId }}
          label={t.allowModel(fix.model)}
          change={({ allowed_models: models }) => ({ allowed_models: [...models, fix.model] })}
        />
      )
    case 'allow_address':
      return (
        <ChangeButton
          {...{ look, keyId }}
          label={t.allowAddress(fix.address)}
          change={({ allowed_ips: addresses }) => ({ allowed_ips: [...addresses, fix.address] })}
        />
      )
    case 'copy_base_url':
      return <CopyButton text={fix.url} what={t.copyUrl(fix.url)} label={t.copyUrl(fix.url)} look={look} />
    case 'copy_model':
      return <CopyButton text={fix.model} what={t.copyModel(fix.model)} label={t.copyModel(fix.model)} look={look} />
    case 'create_key':
      return (
        <Link to={PATHS.keys} search={{ new: 'key' }} className={buttonClass(look)}>
          {t.create}
        </Link>
      )
    case 'show_models':
      return (
        <Link to={PATHS.models} className={buttonClass(look)}>
          {t.models}
        </Link>
      )
    case 'add_credit':
      return <CreditButton look={look} />
    case 'enable_group':
      return <EnableGroup look={look} group={fix.group} />
    case 'set_price':
      return (
        <Link to={ADMIN_PATHS.prices} search={{ q: fix.model }} className={buttonClass(look)}>
          {t.setPrice(fix.model)}
        </Link>
      )
    case 'ask_admin':
      return props.askAdmin(look)
  }
}

/** A code is redeemed in front of the page that said that money is missing. */
function CreditButton({ look }: { readonly look: Look }): ReactNode {
  const t = useTexts('refusals').fix
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look={look} onClick={() => setOpen(true)}>
        {t.credit}
      </Button>
      {isOpen && <CreditDialog onClose={() => setOpen(false)} />}
    </>
  )
}

/** Where the key is not known, the reader looks for it among theirs. */
function ToKeys({ look }: { readonly look: Look }): ReactNode {
  return (
    <Link to={PATHS.keys} className={buttonClass(look)}>
      {useTexts('refusals').fix.keys}
    </Link>
  )
}

function editLabel(field: KeyField, t: PageTexts['refusals']['fix']): string {
  const labels = {
    quota_limit: t.editQuota,
    expires_at: t.editExpiry,
    rate_limit: t.editRate,
    group: t.editGroup,
    allowed_models: t.editModels,
    allowed_ips: t.editAddresses,
  }
  return labels[field]
}

/** What happened, with the request ID by which an admin finds it. */
function MessageToAdmin(props: {
  readonly request: FaultedRequest
  readonly look: Look
  readonly isWithoutFacts: boolean
}): ReactNode {
  const { request, look, isWithoutFacts } = props
  const t = useTexts('refusals').toAdmin
  const text = useFaultText(request)
  const origin = useQuery(instanceQuery).data?.origin ?? siteAddress()
  const email = useQuery(meQuery).data?.email ?? null
  const title = text?.title ?? request.fault ?? ''
  const words = [t.hello(origin, title), request.client_received ?? text?.cause ?? '', text?.remedy ?? '']
  const message = {
    subject: t.subject(title, request.id),
    words: words.filter((line) => line !== ''),
    facts: [
      [t.id, request.id],
      [t.time, request.created_at],
      [t.model, request.model ?? null],
      [t.code, request.fault],
      [t.account, email],
    ],
  } as const
  return <AskAdmin message={message} look={look} isWithoutFacts={isWithoutFacts} />
}

/** Opens a step of the key's in its dialog. The key is fetched when it is pressed: its settings may have changed. */
function StepButton(props: {
  readonly look: Look
  readonly keyId: string | null
  readonly label: string
  readonly step: { readonly kind: 'rotate' } | { readonly kind: 'edit'; readonly fix: KeyFix }
}): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { keyId } = props
  const fetched = useQuery({ ...keyQuery(keyId ?? ''), enabled: isOpen && keyId !== null, staleTime: 0 })
  if (keyId === null) return <ToKeys look={props.look} />
  const key = fetched.data
  const step: KeyStep | null = key === undefined || key === null ? null : { ...props.step, apiKey: key }
  return (
    <>
      <Button look={props.look} isBusy={isOpen && fetched.isLoading} onClick={() => setOpen(true)}>
        {props.label}
      </Button>
      {isOpen && key === null && <Gone />}
      {isOpen && step !== null && key?.managed === true && <Managed />}
      {isOpen && step !== null && key?.managed !== true && (
        <Suspense>
          <KeyStepDialog step={step} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

function Gone(): ReactNode {
  return <p className="w-full text-sm">{useTexts('refusals').fix.gone}</p>
}

function Managed(): ReactNode {
  return <p className="w-full text-sm">{useTexts('refusals').fix.managed}</p>
}

/** Changes the key at once. `change` gets the key as it is now. */
function ChangeButton(props: {
  readonly look: Look
  readonly keyId: string | null
  readonly label: string
  change(key: ApiKeyView): KeyPatch
}): ReactNode {
  const t = useTexts('refusals').fix
  const queryClient = useQueryClient()
  const { keyId } = props
  const change = useChange({
    send: async () => {
      const key = await queryClient.fetchQuery({ ...keyQuery(keyId ?? ''), staleTime: 0 })
      if (key === null) return t.gone
      if (key.managed) return t.managed
      await changeKey(key.id, props.change(key))
      return t.done
    },
    done: (said) => said,
    refreshes: ['keys', 'diagnosis'],
  })
  if (keyId === null) return <ToKeys look={props.look} />
  return (
    <Button look={props.look} isBusy={change.isPending} onClick={() => change.mutate()}>
      {props.label}
    </Button>
  )
}
