import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SignInMethods } from '../../../src/contract/sign-in.ts'
import { canUsePasskeys, deletePasskey, isDeclined, makePasskey, startPasskey } from '../../api/passkeys.ts'
import { methodsQuery, signInOptionsQuery } from '../../api/sign-in.ts'
import { type PageTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { useFormat } from '../../format/use-format.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Notice } from '../../ui/notice.tsx'
import { QueryView } from '../../ui/query-view.tsx'
import { Section } from '../../ui/section.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { CredentialList } from './credential-list.tsx'

type Passkey = SignInMethods['passkeys'][number]

export function PasskeysSection(): ReactNode {
  const t = useTexts('account').passkeys
  const client = useQueryClient()
  const { data: options } = useQuery(signInOptionsQuery)
  const methods = useQuery(methodsQuery)
  const [isAdding, setAdding] = useState(false)
  const keep = (changed: SignInMethods): void => void client.setQueryData(methodsQuery.queryKey, changed)
  const reason = options === undefined ? undefined : whyNot(options.passkeys.unavailable_because, t)
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
        <QueryView
          query={methods}
          skeleton={<SkeletonLines count={1} />}
          empty={{ is: ({ passkeys }) => passkeys.length === 0, shown: <p className="text-ink-3">{t.none}</p> }}
        >
          {({ passkeys }) => (
            <CredentialList items={passkeys} texts={t} remove={deletePasskey} onRemoved={keep}>
              {(passkey) => <AboutPasskey passkey={passkey} />}
            </CredentialList>
          )}
        </QueryView>
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
    </Section>
  )
}

function AboutPasskey({ passkey }: { readonly passkey: Passkey }): ReactNode {
  const t = useTexts('account').passkeys
  const format = useFormat()
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2">
        <span className="font-medium">{passkey.name}</span>
        {passkey.is_synced && <Badge>{t.synced}</Badge>}
      </div>
      {passkey.created_at !== null && (
        <div className="text-sm text-ink-3">{t.added(format.date(passkey.created_at))}</div>
      )}
    </>
  )
}

function AddPasskey(props: { onClose(): void; onAdded(methods: SignInMethods): void }): ReactNode {
  const t = useTexts('account').passkeys
  const guarded = useGuarded()
  const form = useForm({
    initial: { name: t.nameDefault },
    send: async ({ name }) => {
      const options = await guarded(startPasskey)
      return makePasskey(options, name.trim() === '' ? t.nameDefault : name.trim()).catch((error: unknown) => {
        if (isDeclined(error)) return null
        throw error
      })
    },
    onDone: (methods) => {
      if (methods !== null) props.onAdded(methods)
    },
  })
  return (
    <Dialog isOpen size="small" title={t.nameTitle} onClose={props.onClose}>
      <Form
        submission={form}
        foot={
          <Button type="submit" look="primary" icon="passkey" isBusy={form.isSending}>
            {t.create}
          </Button>
        }
      >
        <TextField {...form.text('name', t.name)} hint={t.nameHint} maxLength={100} />
      </Form>
    </Dialog>
  )
}

/** Why this page cannot make a passkey, or undefined when it can. */
function whyNot(
  impossible: 'insecure_context' | 'ip_address' | null,
  t: PageTexts['account']['passkeys'],
): string | undefined {
  if (impossible === 'ip_address') return t.needName
  if (impossible !== null || !isSecureContext) return t.needHttps(location.origin)
  return canUsePasskeys() ? undefined : t.notInBrowser
}
