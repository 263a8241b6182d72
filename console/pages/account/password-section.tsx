import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { meQuery } from '../../api/me.ts'
import { changePassword, sessionsQuery, signInOptionsQuery } from '../../api/sign-in.ts'
import { accountDictionary } from '../../dictionaries/account.ts'
import { useSharedTexts } from '../../dictionaries/shared.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { useToast } from '../../ui/toasts.tsx'

const SHORTEST = 8

export function PasswordSection({ me }: { readonly me: Me }): ReactNode {
  const t = accountDictionary.useTexts().password
  const shared = useSharedTexts()
  const toast = useToast()
  const client = useQueryClient()
  const { data: options } = useQuery(signInOptionsQuery)
  const shortest = options?.password.shortest ?? SHORTEST
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const submission = useSubmission({
    fields: ['current_password', 'new_password'],
    check: () => {
      const errors: Record<string, string> = {}
      if (me.has_password && current === '') errors['current_password'] = shared.required
      if (next.length < shortest) errors['new_password'] = t.tooShort(shortest)
      return errors
    },
    send: () => changePassword({ new_password: next, ...(me.has_password ? { current_password: current } : {}) }),
    onDone: () => {
      setCurrent('')
      setNext('')
      toast({ text: t.done })
      void client.invalidateQueries({ queryKey: meQuery.queryKey })
      void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    },
  })
  return (
    <Section title={t.title} lead={me.has_password ? t.lead : t.leadNone}>
      <Form
        submission={submission}
        label={t.title}
        foot={
          <div>
            <Button type="submit" isBusy={submission.isSending}>
              {me.has_password ? t.action : t.actionNone}
            </Button>
          </div>
        }
      >
        {/* Password managers look for the name beside the password. */}
        <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
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
          <TextField
            name="new_password"
            label={t.next}
            type="password"
            autoComplete="new-password"
            hint={t.hint(shortest)}
            value={next}
            onValue={setNext}
            error={submission.errorOf('new_password')}
          />
        </div>
      </Form>
    </Section>
  )
}
