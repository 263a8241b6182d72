import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SettingsRead } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { changeSettings, type SettingSource } from '../../../api/settings-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import type { Submission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { rememberEdit } from './last-edit.ts'
import { SettingFields } from './setting-fields.tsx'
import { COUNT_LIMITS, type SettingForm, SPEND_LIMITS, valueOf, toForm } from './setting-form.ts'

/** The editor of one setting. */
export default function EditSetting(props: {
  readonly name: SettingName
  readonly settings: SettingsRead
  /** null: not known. */
  readonly source: SettingSource | null
  onClose(): void
}): ReactNode {
  const t = useTexts('settings')
  const queries = useQueryClient()
  const { name, source, onClose } = props
  // As it was when the editor was opened: what another admin changes meanwhile is not taken back.
  const [settings] = useState(props.settings)
  const form = useForm({
    initial: () => toForm(name, settings),
    fields: [name, ...COUNT_LIMITS, ...SPEND_LIMITS],
    validate: (values) => {
      const read = valueOf(name, values)
      return 'value' in read ? {} : { [read.field]: read.problem }
    },
    messages: t.form,
    send: (values, { version }) => {
      const read = valueOf(name, values)
      return changeSettings({ [name]: 'value' in read ? read.value : null }, version ?? settings.version)
    },
    onDone: (now) => {
      queries.setQueryData(['settings', 'values'], now)
      if (JSON.stringify(now[name]) !== JSON.stringify(settings[name])) {
        rememberEdit({ name, before: settings[name], version: now.version })
      }
    },
    // Every page shows some of them.
    refreshes: ['settings', 'instance'],
    onClose,
  })
  const title = t.form.title(t.settings[name].name)
  if (source?.source === 'file') {
    return (
      <Drawer isOpen title={title} onClose={onClose}>
        <Notice>{t.fromFile}</Notice>
      </Drawer>
    )
  }
  return (
    <Drawer isOpen title={title} description={t.settings[name].does} onClose={onClose}>
      <Form
        submission={form}
        foot={<Foot submission={form} onStandard={() => form.change(standardForm())} onCancel={onClose} />}
      >
        <SettingFields name={name} form={form.values} onForm={form.change} errorOf={form.errorOf} />
      </Form>
    </Drawer>
  )

  function standardForm(): SettingForm {
    return toForm(name, { ...settings, [name]: source?.standard ?? null })
  }
}

function Foot(props: { readonly submission: Submission; onStandard(): void; onCancel(): void }): ReactNode {
  const t = useTexts('settings').form
  const shared = useSharedTexts()
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button look="quiet" className="mr-auto" onClick={props.onStandard}>
        {t.standard}
      </Button>
      <Button onClick={props.onCancel}>{shared.cancel}</Button>
      <Button type="submit" look="primary" isBusy={props.submission.isSending}>
        {shared.save}
      </Button>
    </div>
  )
}
