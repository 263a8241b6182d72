import { pageDictionary } from './page-dictionary.ts'
import type { UpstreamsTexts } from './upstreams-en.ts'

/** The words of the pages of upstreams. */
export const upstreamsDictionary = pageDictionary<UpstreamsTexts>({
  en: () => import('./upstreams-en.ts').then((file) => file.upstreamsEn),
  'zh-CN': () => import('./upstreams-zh-cn.ts').then((file) => file.upstreamsZhCn),
})
