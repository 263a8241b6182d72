import type { CallNames } from './call-names-en.ts'

export const callNamesZhCn: CallNames = {
  web_search: '网页搜索',
  web_fetch: '网页抓取',
  file_search: '文件搜索',
  code_interpreter: '代码解释器',
  image_generation: '图片生成',
  grounded_prompt: '搜索增强请求',
  maps_grounding: '地图增强请求',
  x_search: 'X 搜索',
  document_search: '文档搜索',
  file_parsing: '文件解析',
  other_tool: '其他工具',
}
