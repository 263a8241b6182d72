import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { changeMe, meQuery } from '../../api/me.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useSubmission } from '../../forms/use-submission.ts'
import { useFormat } from '../../format/use-format.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Section } from '../../ui/section.tsx'
import { useToast } from '../../ui/toasts.tsx'

export function ProfileSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').profile
  const shared = useSharedTexts()
  const format = useFormat()
  const toast = useToast()
  const client = useQueryClient()
  const [name, setName] = useState(me.name)
  const submission = useSubmission({
    fields: ['name'],
    send: () => changeMe({ name: name.trim() }),
    onDone: (changed) => {
      client.setQueryData(meQuery.queryKey, changed)
      toast({ text: shared.saved })
    },
  })
  return (
    <Section
      title={t.title}
      lead={t.since(format.date(me.created_at))}
      actions={<Badge tone={me.role === 'admin' ? 'accent' : 'neutral'}>{t.role[me.role]}</Badge>}
    >
      <Form
        submission={submission}
        foot={
          <div>
            <Button type="submit" isBusy={submission.isSending}>
              {t.save}
            </Button>
          </div>
        }
      >
        <div className="max-w-sm">
          <TextField
            {...submission.field('name')}
            label={t.name}
            hint={t.nameHint}
            isOptional
            autoComplete="name"
            maxLength={100}
            value={name}
            onValue={setName}
          />
        </div>
      </Form>
    </Section>
  )
}
