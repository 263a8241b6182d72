import { useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { SettingsRead } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { changeSettings, type SettingSource } from '../../../api/settings-admin.ts'
import { useSharedTexts, useTexts } from '../../../dictionaries/texts.ts'
import { Form } from '../../../forms/form.tsx'
import { type Submission, useSubmission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { Drawer } from '../../../ui/dialog.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { rememberEdit } from './last-edit.ts'
import { SettingFields } from './setting-fields.tsx'
import { COUNT_LIMITS, type SettingWish, SPEND_LIMITS, valueOf, wishOf } from './setting-wish.ts'

/** The editor of one setting. */
export default function SettingForm(props: {
  readonly name: SettingName
  readonly settings: SettingsRead
  /** null: not known. */
  readonly source: SettingSource | null
  onClose(): void
}): ReactNode {
  const t = useTexts('settings')
  const shared = useSharedTexts()
  const queries = useQueryClient()
  const { name, source, onClose } = props
  // As it was when the editor was opened: what another admin changes meanwhile is not taken back.
  const [settings] = useState(props.settings)
  const [wish, setWish] = useState(() => wishOf(name, settings))
  const reload = (): void => void queries.invalidateQueries({ queryKey: ['settings'] })
  const submission = useSubmission({
    fields: [name, ...COUNT_LIMITS, ...SPEND_LIMITS],
    check: () => {
      const wished = valueOf(name, wish)
      if ('value' in wished) return {}
      return { [wished.field]: wished.objection === 'required' ? shared.required : t.form[wished.objection] }
    },
    send: (_key, overwritten) => {
      const wished = valueOf(name, wish)
      return changeSettings({ [name]: 'value' in wished ? wished.value : null }, overwritten ?? settings.version)
    },
    onTheirs: () => {
      reload()
      onClose()
    },
    onDone: (now) => {
      queries.setQueryData(['settings', 'values'], now)
      reload()
      // What every page shows of them.
      void queries.invalidateQueries({ queryKey: ['instance'] })
      if (JSON.stringify(now[name]) !== JSON.stringify(settings[name])) {
        rememberEdit({ name, before: settings[name], version: now.version })
      }
      onClose()
    },
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
        submission={submission}
        foot={<Foot submission={submission} onStandard={() => setWish(standardWish())} onCancel={onClose} />}
      >
        <SettingFields name={name} wish={wish} onWish={setWish} errorOf={submission.errorOf} />
      </Form>
    </Drawer>
  )

  function standardWish(): SettingWish {
    return wishOf(name, { ...settings, [name]: source?.standard ?? null })
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
