import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { meQuery } from '../../api/me.ts'
import { changePassword, sessionsQuery } from '../../api/sign-in.ts'
import { accountDictionary } from '../../dictionaries/account.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { NewPasswordForm } from '../../forms/new-password-form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { FieldErrors } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { useToast } from '../../ui/toasts.tsx'

export function PasswordSection({ me }: { readonly me: Me }): ReactNode {
  const t = accountDictionary.useTexts().password
  const shared = useSharedTexts()
  const toast = useToast()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  return (
    <Section title={t.title} lead={me.has_password ? t.lead : t.leadNone}>
      <NewPasswordForm
        name="new_password"
        title={t.title}
        label={t.next}
        layout="grid max-w-2xl gap-4 sm:grid-cols-2"
        others={{
          names: ['current_password'],
          check: (): FieldErrors => (me.has_password && current === '' ? { current_password: shared.required } : {}),
          shown: (submission) => (
            <>
              {/* Password managers look for the name beside the password. */}
              <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
              {me.has_password && (
                <TextField
                  name="current_password"
                  label={t.current}
                  type="password"
                  autoComplete="current-password"
                  value={current}
                  onValue={setCurrent}
                  error={submission.errorOf('current_password')}
                />
              )}
            </>
          ),
        }}
        foot={(isSending) => (
          <div>
            <Button type="submit" isBusy={isSending}>
              {me.has_password ? t.action : t.actionNone}
            </Button>
          </div>
        )}
        send={(password) =>
          changePassword({ new_password: password, ...(me.has_password ? { current_password: current } : {}) })
        }
        onDone={() => {
          setCurrent('')
          toast({ text: t.done })
          void client.invalidateQueries({ queryKey: meQuery.queryKey })
          void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
        }}
      />
    </Section>
  )
}
