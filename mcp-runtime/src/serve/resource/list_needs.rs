//! The lists that a server has only if its author allows changes of them.

use crate::{
    PromptList, ResourceList, ToolList,
    engine::{
        call::observer::Runtime,
        tool::state::{SettingsOfState, StateNeed, StateOfSetting},
    },
};

impl SettingsOfState for Runtime {
    fn setting(need: &StateNeed) -> Option<StateOfSetting> {
        let of = |type_name, setting| Some(StateOfSetting { type_name, setting });
        if need.is::<ToolList>() {
            of("ToolList", "dynamic_tools")
        } else if need.is::<PromptList>() {
            of("PromptList", "dynamic_prompts")
        } else if need.is::<ResourceList>() {
            of("ResourceList", "dynamic_resources")
        } else {
            None
        }
    }
}
