openapi! { (::mcp_runtime) "openapi.yaml", rename("addPet" = "offer_pet"), actions(pets = ["getPet"]) }
