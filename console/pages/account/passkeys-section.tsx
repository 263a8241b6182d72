import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SignInMethods } from '../../../src/contract/sign-in.ts'
import { canUsePasskeys, deletePasskey, isDeclined, makePasskey, startPasskey } from '../../api/passkeys.ts'
import { methodsQuery, signInOptionsQuery } from '../../api/sign-in.ts'
import { accountDictionary } from '../../dictionaries/account.ts'
import type { AccountTexts } from '../../dictionaries/account-en.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { useFormat } from '../../format/use-format.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'

type Passkey = SignInMethods['passkeys'][number]

export function PasskeysSection(): ReactNode {
  const t = accountDictionary.useTexts().passkeys
  const guarded = useGuarded()
  const client = useQueryClient()
  const { data: options } = useQuery(signInOptionsQuery)
  const { data: methods } = useQuery(methodsQuery)
  const [isAdding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<Passkey | null>(null)
  const keep = (changed: SignInMethods): void => void client.setQueryData(methodsQuery.queryKey, changed)
  const remove = useMutation({ mutationFn: (id: string) => guarded(() => deletePasskey(id)), onSuccess: keep })
  const reason = options === undefined ? undefined : whyNot(options.passkeys.impossible_because, t)
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        reason === undefined && (
          <Button icon="plus" onClick={() => setAdding(true)}>
            {t.add}
          </Button>
        )
      }
    >
      <div className="grid gap-3">
        {reason !== undefined && <Notice>{reason}</Notice>}
        {remove.error !== null && <ErrorState error={remove.error} />}
        {methods === undefined ? (
          <SkeletonLines count={1} />
        ) : methods.passkeys.length === 0 ? (
          <p className="text-ink-3">{t.none}</p>
        ) : (
          <ul className="divide-y divide-line">
            {methods.passkeys.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} onRemove={() => setLeaving(passkey)} />
            ))}
          </ul>
        )}
      </div>
      {isAdding && (
        <AddPasskey
          onClose={() => setAdding(false)}
          onAdded={(changed) => {
            keep(changed)
            setAdding(false)
          }}
        />
      )}
      <ConfirmDialog
        isOpen={leaving !== null}
        onClose={() => setLeaving(null)}
        title={t.removeTitle}
        action={t.removeAction}
        isDangerous
        onConfirm={() => {
          if (leaving !== null) remove.mutate(leaving.id)
          setLeaving(null)
        }}
      >
        {leaving !== null && t.removeText(leaving.name)}
      </ConfirmDialog>
    </Section>
  )
}

function PasskeyRow({ passkey, onRemove }: { readonly passkey: Passkey; onRemove(): void }): ReactNode {
  const t = accountDictionary.useTexts().passkeys
  const format = useFormat()
  return (
    <li className="flex min-h-12 items-center gap-3">
      <div className="min-w-0 flex-1">
        <span className="font-medium">{passkey.name}</span>{' '}
        {passkey.created_at !== null && (
          <span className="text-sm text-ink-3">{t.added(format.date(passkey.created_at))}</span>
        )}
      </div>
      {passkey.is_synced && <Badge>{t.synced}</Badge>}
      <IconButton icon="trash" label={t.remove(passkey.name)} onClick={onRemove} />
    </li>
  )
}

function AddPasskey(props: { onClose(): void; onAdded(methods: SignInMethods): void }): ReactNode {
  const t = accountDictionary.useTexts().passkeys
  const guarded = useGuarded()
  const [name, setName] = useState(t.nameDefault)
  const submission = useSubmission({
    fields: ['name'],
    send: async () => {
      const options = await guarded(startPasskey)
      return makePasskey(options, name.trim() === '' ? t.nameDefault : name.trim()).catch((error: unknown) => {
        if (isDeclined(error)) return null
        throw error
      })
    },
    onDone: (methods) => methods !== null && props.onAdded(methods),
  })
  return (
    <Dialog isOpen size="small" title={t.nameTitle} onClose={props.onClose}>
      <Form
        submission={submission}
        foot={
          <Button type="submit" look="primary" icon="passkey" isBusy={submission.isSending}>
            {t.create}
          </Button>
        }
      >
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          maxLength={100}
          value={name}
          onValue={setName}
          error={submission.errorOf('name')}
        />
      </Form>
    </Dialog>
  )
}

/** Why this page cannot make a passkey, or undefined when it can. */
function whyNot(impossible: 'insecure_context' | 'ip_address' | null, t: AccountTexts['passkeys']): string | undefined {
  if (impossible === 'ip_address') return t.needName
  if (impossible !== null || !isSecureContext) return t.needHttps(location.origin)
  return canUsePasskeys() ? undefined : t.notInBrowser
}
