// The parts of the chat page that this page is built from.

export { announce, liveRegion } from "../../../examples/chat/web/src/announce";
export { CallLog } from "../../../examples/chat/web/src/call-log";
export { folded, resultOf } from "../../../examples/chat/web/src/call-result";
export { CallView } from "../../../examples/chat/web/src/call-view";
export { h, icon, type Shape, uniqueId } from "../../../examples/chat/web/src/dom";
export { type Field, type FieldValue, field, problemOf, words } from "../../../examples/chat/web/src/forms/field";
export { type AnyRequest, draw, type FormPlace, keepFocus, showForm } from "../../../examples/chat/web/src/forms/form";
export { genericForm } from "../../../examples/chat/web/src/forms/generic";
export { viewOrForm } from "../../../examples/chat/web/src/forms/view";
export { visit } from "../../../examples/chat/web/src/forms/visit";
export {
  type Answer,
  type FieldSchema,
  type FormSchema,
  PluginError as Refusal,
  type Question,
  refusal,
  type RejectedAnswer,
  serverSentEvents,
  type TimelineEvent,
  type Tool,
  type ToolName,
  type ToolResult,
} from "../../../examples/chat/web/src/plugins/plugin-client";
export { callToEnd, HostedView, type ViewClient, viewOf } from "../../../examples/chat/web/src/plugins/view-host";
