// SPDX-License-Identifier: MIT-0
// An Echo served by omniORB: writes its reference into the file that is named first. With `forward` every first call of a client
// goes through an object that sends it on to the Echo.
#include "echo.hh"
#include <atomic>
#include <cstring>
#include <fstream>
#include <unistd.h>

class Servant : public POA_Test::Echo {
    CORBA::ORB_var orb_;
    // omniORB serves the calls of one connection by several threads.
    std::atomic<CORBA::Long> noted_{0};

public:
    explicit Servant(CORBA::ORB_ptr orb) : orb_(CORBA::ORB::_duplicate(orb)) {}
    void nothing() override {}
    CORBA::Long add(CORBA::Long left, CORBA::Long right) override { return left + right; }
    Test::Octets *bytes(const Test::Octets &given) override { return new Test::Octets(given); }
    CORBA::Long sum(const Test::Numbers &given) override
    {
        CORBA::ULong sum = 0;
        for (CORBA::ULong index = 0; index < given.length(); index++)
            sum += static_cast<CORBA::ULong>(given[index]);
        return static_cast<CORBA::Long>(sum);
    }
    Test::Numbers *series(CORBA::Long count) override
    {
        Test::Numbers *const result = new Test::Numbers;
        result->length(static_cast<CORBA::ULong>(count));
        for (CORBA::Long index = 0; index < count; index++)
            (*result)[static_cast<CORBA::ULong>(index)] = index;
        return result;
    }
    char *greet(const char *name) override
    {
        if (*name == 0)
            throw Test::Refused("nobody is nobody", 42);
        if (std::strcmp(name, "nobody") == 0)
            throw CORBA::NO_PERMISSION(0, CORBA::COMPLETED_YES);
        return CORBA::string_dup((std::string("Hello, ") + name).c_str());
    }
    void note(CORBA::Long value) override { noted_ += value; }
    CORBA::Long noted() override { return noted_; }
    Test::Echo_ptr self() override { return _this(); }
    Test::Echo_ptr pass(Test::Echo_ptr given) override { return Test::Echo::_duplicate(given); }
    void pause(CORBA::ULong milliseconds) override { usleep(milliseconds * 1000); }
    CORBA::Long back(Test::Echo_ptr other, CORBA::Long depth) override
    {
        Test::Echo_var self = _this();
        return depth <= 0 ? 0 : other->back(self, depth - 1) + 1;
    }
    CORBA::WChar *wide(const CORBA::WChar *given) override { return CORBA::wstring_dup(given); }
    void stop() override { orb_->shutdown(false); }
};

class Forwarder : public POA_PortableServer::ServantLocator {
    Test::Echo_var target_;

public:
    explicit Forwarder(Test::Echo_ptr target) : target_(Test::Echo::_duplicate(target)) {}
    PortableServer::Servant preinvoke(const PortableServer::ObjectId &, PortableServer::POA_ptr, const char *, void *&) override
    {
        throw PortableServer::ForwardRequest(target_);
    }
    void postinvoke(const PortableServer::ObjectId &, PortableServer::POA_ptr, const char *, void *, PortableServer::Servant) override {}
};

static CORBA::Object_ptr forwarder(PortableServer::POA_ptr root, Test::Echo_ptr target)
{
    CORBA::PolicyList policies;
    policies.length(3);
    policies[0] = root->create_servant_retention_policy(PortableServer::NON_RETAIN);
    policies[1] = root->create_request_processing_policy(PortableServer::USE_SERVANT_MANAGER);
    policies[2] = root->create_id_assignment_policy(PortableServer::USER_ID);
    PortableServer::POAManager_var manager = root->the_POAManager();
    PortableServer::POA_var poa = root->create_POA("forwarding", manager, policies);
    Forwarder *const locator = new Forwarder(target);
    PortableServer::ServantManager_var reference = locator->_this();
    poa->set_servant_manager(reference);
    PortableServer::ObjectId_var id = PortableServer::string_to_ObjectId("elsewhere");
    return poa->create_reference_with_id(id, "IDL:Test/Echo:1.0");
}

static void bind(CORBA::ORB_ptr orb, CORBA::Object_ptr echo)
{
    CORBA::Object_var object = orb->resolve_initial_references("NameService");
    CosNaming::NamingContext_var root = CosNaming::NamingContext::_narrow(object);
    CosNaming::Name name;
    name.length(1);
    name[0].id = CORBA::string_dup("test");
    name[0].kind = CORBA::string_dup("");
    CosNaming::NamingContext_var context = root->bind_new_context(name);
    name[0].id = CORBA::string_dup("echo");
    name[0].kind = CORBA::string_dup("object");
    context->rebind(name, echo);
}

int main(int argc, char **argv)
{
    CORBA::ORB_var orb = CORBA::ORB_init(argc, argv);
    CORBA::Object_var object = orb->resolve_initial_references("RootPOA");
    PortableServer::POA_var root = PortableServer::POA::_narrow(object);
    PortableServer::POAManager_var manager = root->the_POAManager();
    manager->activate();
    Servant *const servant = new Servant(orb);
    PortableServer::ObjectId_var id = root->activate_object(servant);
    Test::Echo_var echo = servant->_this();
    CORBA::Object_var given = argc > 2 && std::strcmp(argv[2], "forward") == 0 ? forwarder(root, echo) : CORBA::Object::_duplicate(echo);
    if (argc > 2 && std::strcmp(argv[2], "bind") == 0)
        bind(orb, echo);
    CORBA::String_var text = orb->object_to_string(given);
    std::ofstream(argv[1]) << text.in() << std::endl;
    orb->run();
    orb->destroy();
    return 0;
}
