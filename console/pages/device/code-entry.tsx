import type { ReactNode } from 'react'
import { useTexts } from '../../dictionaries/texts.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { looksLikeCode } from './asked-code.ts'
import { CODE_INPUT } from './code-input.ts'

/** Asks for the code that the program shows. */
export function CodeEntry({ onCode }: { onCode(code: string): void }): ReactNode {
  const t = useTexts('devices').request
  const form = useForm({
    initial: { code: '' },
    validate: ({ code }) => ({ code: !looksLikeCode(code) && 'form' }),
    messages: { form: t.codeForm },
    send: ({ code }) => Promise.resolve(code.trim()),
    onDone: onCode,
  })
  return (
    <Form
      submission={form}
      className="grid max-w-sm gap-4"
      foot={
        <Button type="submit" look="primary">
          {t.next}
        </Button>
      }
    >
      <TextField {...form.text('code', t.enter)} {...CODE_INPUT} autoFocus />
    </Form>
  )
}
