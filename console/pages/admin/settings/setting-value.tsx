import type { ReactNode } from 'react'
import type { SettingsView } from '../../../../src/contract/administration.ts'
import type { SettingName } from '../../../../src/contract/configuration.ts'
import { useMay } from '../../../api/use-may.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { useFormat } from '../../../format/use-format.ts'
import { COUNT_LIMITS, limitsOf, SETTING_KINDS, SPEND_LIMITS, toForm } from './setting-form.ts'

/** A setting as it stands, in words. */
export function SettingValue(props: { readonly name: SettingName; readonly settings: SettingsView }): ReactNode {
  const t = useTexts('settings')
  const format = useFormat()
  const isAdmin = useMay('admin')
  const { name, settings } = props
  const none = <span className="text-ink-3">{t.empty}</span>
  switch (SETTING_KINDS[name]) {
    case 'choice':
      return t.registrations[settings.registration].name
    case 'switch':
      return settings[name] === true ? t.on : t.off
    case 'count':
      return format.number(Number(settings[name]))
    case 'days':
      return t.days(Number(settings[name]), format.number(Number(settings[name])))
    case 'line':
      return toForm(name, settings).text || none
    case 'ids':
      return settings.hidden_imports.length === 0 ? none : format.list(settings.hidden_imports)
    case 'links':
      return settings.imports.length === 0 ? none : format.list(settings.imports.map((each) => each.name))
    case 'template': {
      const { alert_template: template } = settings
      if (template === null) return t.standardTemplate
      return (
        <>
          {t.template(Object.keys(template).length)}
          {!isAdmin && <span className="block text-sm text-ink-2">{t.hidden}</span>}
        </>
      )
    }
    case 'limits': {
      const limits = limitsOf(settings.account_limits)
      const lines = [
        ...COUNT_LIMITS.flatMap((each) =>
          limits[each] === undefined ? [] : [[each, format.number(Number(limits[each]))] as const],
        ),
        ...SPEND_LIMITS.flatMap((each) =>
          limits[each] === undefined ? [] : [[each, format.money(limits[each])] as const],
        ),
      ]
      if (lines.length === 0) return none
      return (
        <ul>
          {lines.map(([each, value]) => (
            <li key={each}>{t.limit(t.limits[each], value)}</li>
          ))}
        </ul>
      )
    }
  }
}
