import type { ReactNode } from 'react'
import { useSharedTexts } from '../dictionaries/texts.ts'
import { CancelOrSubmit } from './cancel-or-submit.tsx'
import { Form } from './form.tsx'
import type { Submission } from './use-submission.ts'
import type { DialogProps } from '../ui/dialog-parts.tsx'
import { Dialog, Drawer } from '../ui/dialog.tsx'

interface FormDialogProps extends Omit<DialogProps, 'isOpen' | 'foot' | 'size'> {
  readonly form: Submission
  /** The text of the button that sends; absent: "Save". */
  readonly action?: string | undefined
}

/** A form in a window of its own, with its two buttons. */
export function FormDialog({
  form,
  action,
  children,
  ...window
}: FormDialogProps & Pick<DialogProps, 'size'>): ReactNode {
  return (
    <Dialog isOpen {...window}>
      <FormWithButtons form={form} action={action} onClose={window.onClose}>
        {children}
      </FormWithButtons>
    </Dialog>
  )
}

/** A longer form, from the side. */
export function FormDrawer({ form, action, children, ...window }: FormDialogProps): ReactNode {
  return (
    <Drawer isOpen {...window}>
      <FormWithButtons form={form} action={action} onClose={window.onClose}>
        {children}
      </FormWithButtons>
    </Drawer>
  )
}

function FormWithButtons(props: Pick<FormDialogProps, 'form' | 'action' | 'onClose' | 'children'>): ReactNode {
  const shared = useSharedTexts()
  const { form, action = shared.save, onClose, children } = props
  return (
    <Form submission={form} foot={<CancelOrSubmit submission={form} action={action} onCancel={onClose} />}>
      {children}
    </Form>
  )
}
