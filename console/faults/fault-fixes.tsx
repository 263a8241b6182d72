import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Suspense, useState, type ReactNode } from 'react'
import { type Fix, fixesOf, type KeyField } from '../../src/causes/fixes.ts'
import type { ApiKeyView, KeyPatch } from '../../src/contract/keys.ts'
import type { FaultCode } from '../../src/contract/usage.ts'
import { instanceQuery } from '../api/instance.ts'
import { changeKey, keyQuery } from '../api/keys.ts'
import { meQuery } from '../api/me.ts'
import type { RefusalsTexts } from '../dictionaries/refusals-en.ts'
import { refusalsDictionary } from '../dictionaries/refusals.ts'
import { useProblemText } from '../dictionaries/problem-text.ts'
import type { KeyStep } from '../pages/keys/key-step.ts'
import { PATHS } from '../paths.ts'
import { Button, buttonClass } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy-button.tsx'
import { lazyPart } from '../ui/lazy-part.tsx'
import { useToast } from '../ui/toasts.tsx'
import { AskAdmin } from './ask-admin.tsx'
import { factsOf, type FaultedRequest, useFaultText } from './use-fault-text.ts'

const KeyStepDialog = lazyPart(() => import('../pages/keys/key-step-dialog.tsx'))

/** The buttons that make a refused request pass, the likeliest first. Nothing where no button can. */
export function FaultFixes({
  request,
  isWithoutFacts = false,
}: {
  readonly request: FaultedRequest
  /** What support needs can be copied beside it already. */
  readonly isWithoutFacts?: boolean
}): ReactNode {
  const t = refusalsDictionary.useTexts().fix
  if (request.fault === null) return null
  const fixes = fixesOf(request.fault as FaultCode, factsOf(request))
  if (fixes.length === 0) return null
  return (
    <div role="group" aria-label={t.title} className="flex flex-wrap gap-2">
      {fixes.map((fix, index) => (
        <FixButton key={keyOf(fix)} fix={fix} request={request} isFirst={index === 0} isWithoutFacts={isWithoutFacts} />
      ))}
    </div>
  )
}

function keyOf(fix: Fix): string {
  return Object.values(fix).join(' ')
}

interface FixProps {
  readonly request: FaultedRequest
  readonly isFirst: boolean
  readonly isWithoutFacts: boolean
}

function FixButton({ fix, ...props }: FixProps & { readonly fix: Fix }): ReactNode {
  const t = refusalsDictionary.useTexts().fix
  const look = props.isFirst ? 'primary' : 'secondary'
  switch (fix.kind) {
    case 'edit_key':
      return <StepButton {...props} label={editLabel(fix.field, t)} step={{ kind: 'edit', field: fix.field }} />
    case 'rotate_key':
      return <StepButton {...props} label={t.rotate} step={{ kind: 'rotate' }} />
    case 'enable_key':
      return <ChangeButton {...props} label={t.enable} change={() => ({ status: 'active' })} />
    case 'allow_model':
      return (
        <ChangeButton
          {...props}
          label={t.allowModel(fix.model)}
          change={({ allowed_models: models }) => ({ allowed_models: [...models, fix.model] })}
        />
      )
    case 'allow_address':
      return (
        <ChangeButton
          {...props}
          label={t.allowAddress(fix.address)}
          change={({ allowed_ips: addresses }) => ({ allowed_ips: [...addresses, fix.address] })}
        />
      )
    case 'copy_base_url':
      return <CopyButton text={fix.url} what={t.copyUrl(fix.url)} label={t.copyUrl(fix.url)} look={look} />
    case 'copy_model':
      return <CopyButton text={fix.model} what={t.copyModel(fix.model)} label={t.copyModel(fix.model)} look={look} />
    case 'create_key':
      return <PageLink to={PATHS.keys} label={t.create} look={look} />
    case 'show_models':
      return <PageLink to={PATHS.models} label={t.models} look={look} />
    case 'add_credit':
      return <PageLink to={PATHS.billing} label={t.credit} look={look} />
    case 'ask_admin':
      return <MessageToAdmin {...props} />
  }
}

function editLabel(field: KeyField, t: RefusalsTexts['fix']): string {
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

function PageLink(props: {
  readonly to: typeof PATHS.keys | typeof PATHS.models | typeof PATHS.billing
  readonly label: string
  readonly look: 'primary' | 'secondary'
}): ReactNode {
  return (
    <Link to={props.to} className={buttonClass(props.look)}>
      {props.label}
    </Link>
  )
}

/** What happened, with the request ID by which an admin finds it. */
function MessageToAdmin({ request, isFirst, isWithoutFacts }: FixProps): ReactNode {
  const t = refusalsDictionary.useTexts().toAdmin
  const text = useFaultText(request)
  const origin = useQuery(instanceQuery).data?.origin ?? location.origin
  const email = useQuery(meQuery).data?.email ?? null
  const title = text?.title ?? request.fault ?? ''
  const words = [t.hello(origin, title), request.caller_got ?? text?.cause ?? '', text?.remedy ?? '']
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
  return <AskAdmin message={message} look={isFirst ? 'primary' : 'secondary'} isWithoutFacts={isWithoutFacts} />
}

/** Opens a step of the key's in its dialog. The key is fetched when it is pressed: its settings may have changed. */
function StepButton(
  props: FixProps & {
    readonly label: string
    readonly step: { readonly kind: 'rotate' } | { readonly kind: 'edit'; readonly field: KeyField }
  },
): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { key_id: keyId } = props.request
  const fetched = useQuery({ ...keyQuery(keyId ?? ''), enabled: isOpen && keyId !== null, staleTime: 0 })
  if (keyId === null) return null
  const key = fetched.data
  const step: KeyStep | null = key === undefined || key === null ? null : { ...props.step, apiKey: key }
  return (
    <>
      <Button
        look={props.isFirst ? 'primary' : 'secondary'}
        isBusy={isOpen && fetched.isLoading}
        onClick={() => setOpen(true)}
      >
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
  return <p className="w-full text-sm">{refusalsDictionary.useTexts().fix.gone}</p>
}

function Managed(): ReactNode {
  return <p className="w-full text-sm">{refusalsDictionary.useTexts().fix.managed}</p>
}

/** Changes the key at once. `change` gets the key as it is now. */
function ChangeButton(props: FixProps & { readonly label: string; change(key: ApiKeyView): KeyPatch }): ReactNode {
  const t = refusalsDictionary.useTexts().fix
  const toast = useToast()
  const problemText = useProblemText()
  const queryClient = useQueryClient()
  const { key_id: keyId } = props.request
  const change = useMutation({
    mutationFn: async () => {
      const key = await queryClient.fetchQuery({ ...keyQuery(keyId ?? ''), staleTime: 0 })
      if (key === null) return t.gone
      if (key.managed) return t.managed
      await changeKey(key.id, props.change(key))
      return t.done
    },
    onSuccess: (said) => {
      toast({ text: said })
      void queryClient.invalidateQueries({ queryKey: ['keys'] })
    },
    onError: (error) => toast({ tone: 'bad', text: problemText(error) }),
  })
  if (keyId === null) return null
  return (
    <Button look={props.isFirst ? 'primary' : 'secondary'} isBusy={change.isPending} onClick={() => change.mutate()}>
      {props.label}
    </Button>
  )
}
