import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SettingsRead } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { changeSettings, type SettingSource } from '../../../api/settings-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { SettingFields } from './setting-fields.tsx'
import { COUNT_LIMITS, SPEND_LIMITS, valueOf, toForm } from './setting-form.ts'
import type { LastEdit } from './stored-settings.tsx'

/** The editor of one setting. */
export default function EditSetting(props: {
  readonly name: SettingName
  readonly settings: SettingsRead
  /** null: not known. */
  readonly source: SettingSource | null
  onEdited(edit: LastEdit): void
  onClose(): void
}): ReactNode {
  const t = useTexts('settings')
  const shared = useSharedTexts()
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
        props.onEdited({ name, before: settings[name], version: now.version })
      }
    },
    // Every page shows some of them.
    refreshes: ['settings', 'instance'],
    onClose,
  })
  const title = t.form.title(t.settings[name].name)
  const standard = { ...settings, [name]: source?.standard ?? null }
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
        foot={
          <div className="flex flex-wrap justify-end gap-2">
            <Button look="quiet" className="mr-auto" onClick={() => form.change(toForm(name, standard))}>
              {t.form.standard}
            </Button>
            <Button onClick={onClose}>{shared.cancel}</Button>
            <Button type="submit" look="primary" isBusy={form.isSending}>
              {shared.save}
            </Button>
          </div>
        }
      >
        <SettingFields name={name} form={form.values} onForm={form.change} errorOf={form.errorOf} />
      </Form>
    </Drawer>
  )
}
