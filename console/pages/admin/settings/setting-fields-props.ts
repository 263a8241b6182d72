import type { SettingWish } from './setting-wish.ts'

/** What the fields of a setting are given by its editor. */
export interface SettingFieldsProps {
  readonly wish: SettingWish
  onWish(wish: SettingWish): void
  errorOf(field: string): string | undefined
}
